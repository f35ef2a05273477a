import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { createDatabase, dropDatabase } from '../../../test/support/db/postgres.ts';
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
