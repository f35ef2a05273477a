import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { createDatabase, dropDatabase } from '../../../../test/support/db/postgres.ts';
import { PostgresBroadcast } from './postgres-broadcast.ts';

const box = new SealedBox('a secret of the test');
let url = '';
let speaker: PostgresBroadcast;
let listener: PostgresBroadcast;

beforeAll(async () => {
  url = await createDatabase();
  speaker = new PostgresBroadcast(url, box, systemClock);
  listener = new PostgresBroadcast(url, box, systemClock);
});

afterAll(async () => {
  await Promise.all([speaker.close(), listener.close()]);
  await dropDatabase(url);
});

/** Says something until it is received, because what is said before a connection is there is lost. */
async function connect(topic: string): Promise<void> {
  let isReceived = false;
  const end = listener.subscribe(topic, () => (isReceived = true));
  await expect.poll(() => (speaker.publish(topic, '?'), isReceived), { timeout: 20_000 }).toBe(true);
  end();
}

describe('PostgresBroadcast', () => {
  it('carries long texts to the listeners of a topic in another process, whole and in order', async () => {
    await connect('browser:t1');
    const texts = ['a'.repeat(300_000), 'Ärger "漢字" 🙂', 'b'.repeat(20_000)];
    const received: string[] = [];
    const end = listener.subscribe('browser:t1', (text) => text !== '?' && received.push(text));
    listener.subscribe('browser:t2', (text) => received.push(`to another: ${text}`));
    for (const text of texts) speaker.publish('browser:t1', text);
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(texts.length);
    end();
    expect(received.map((text) => text.length)).toEqual(texts.map((text) => text.length));
    expect(received).toEqual(texts);
  });

  it('is received once in its own process, also without a server that answers', () => {
    const away = new PostgresBroadcast('postgresql://127.0.0.1:9/none', box, systemClock);
    const received: string[] = [];
    away.subscribe('viewers:t1', (text) => received.push(text));
    away.publish('viewers:t1', 'here');
    expect(received).toEqual(['here']);
    return away.close();
  });

  it('shows the server nothing of what is said, and delivers nothing that was not sealed with the secret', async () => {
    await connect('viewers:t3');
    const client = new Client({ connectionString: url });
    await client.connect();
    const payloads: string[] = [];
    client.on('notification', ({ payload = '' }) => payloads.push(payload));
    await client.query('LISTEN errand_broadcast');
    const received: string[] = [];
    const end = listener.subscribe('viewers:t3', (text) => received.push(text));
    await client.query('SELECT pg_notify(\'errand_broadcast\', \'stranger viewers:t3 0 1 {"kind":"take"}\')');
    speaker.publish('viewers:t3', 'canary-word');
    await expect.poll(() => received.includes('canary-word'), { timeout: 20_000 }).toBe(true);
    await expect.poll(() => payloads.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
    expect(received.filter((text) => text !== '?')).toEqual(['canary-word']);
    expect(payloads.join('\n')).not.toContain('canary');
    end();
    await client.end();
  });
});

describe('what PostgresBroadcast receives', () => {
  /** Speaks as another process of the instance does, piece by piece. */
  async function speakAs(topic: string, text: string) {
    const sealed = box.seal(text, topic);
    const client = new Client({ connectionString: url });
    await client.connect();
    const half = Math.ceil(sealed.length / 2);
    const say = (at: number) =>
      client.query('SELECT pg_notify($1, $2)', [
        'errand_broadcast',
        `stranger ${topic} ${at} 2 ${sealed.slice(at * half, (at + 1) * half)}`,
      ]);
    return { say, end: () => client.end() };
  }

  it('is opened only if somebody listens to its topic', async () => {
    const opened: string[] = [];
    const counting = {
      seal: box.seal.bind(box),
      open: (text: string, topic: string) => (opened.push(topic), box.open(text, topic)),
    };
    const receiver = new PostgresBroadcast(url, counting, systemClock);
    const received: string[] = [];
    receiver.subscribe('viewers:t5', (text) => received.push(text));
    await expect
      .poll(() => (speaker.publish('viewers:t6', 'for another'), speaker.publish('viewers:t5', 'here'), received.length), {
        timeout: 20_000,
      })
      .toBeGreaterThan(1);
    expect(new Set(opened)).toEqual(new Set(['viewers:t5']));
    await receiver.close();
  });

  it('is forgotten if its sender dies in the middle', async () => {
    const clock = new TestClock();
    const receiver = new PostgresBroadcast(url, box, clock);
    const received: string[] = [];
    for (const topic of ['viewers:t7', 'viewers:t8']) receiver.subscribe(topic, (text) => received.push(text));
    await expect.poll(() => (speaker.publish('viewers:t7', '?'), received.length), { timeout: 20_000 }).toBeGreaterThan(0);
    const other = await speakAs('viewers:t8', 'its text');
    /** What was said before has been received as well then. */
    const untilReceived = async (mark: string) => {
      speaker.publish('viewers:t7', mark);
      await expect.poll(() => received.includes(mark), { timeout: 20_000 }).toBe(true);
    };
    await other.say(0);
    await other.say(1);
    await untilReceived('one');
    expect(received.filter((text) => text === 'its text')).toHaveLength(1);
    await other.say(0);
    await untilReceived('two');
    await clock.advance(12_000);
    await other.say(1);
    await untilReceived('three');
    expect(received.filter((text) => text === 'its text')).toHaveLength(1);
    await other.end();
    await receiver.close();
  });
});
