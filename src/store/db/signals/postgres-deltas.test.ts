import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, dropDatabase } from '../../../../test/support/db/postgres.ts';
import { systemClock } from '@errand/base/clock.ts';
import type { ReplyDelta } from '@errand/base/signals/deltas.ts';
import { PostgresDeltas } from './postgres-deltas.ts';

let url = '';
let writer: PostgresDeltas;
let reader: PostgresDeltas;

beforeAll(async () => {
  url = await createDatabase();
  writer = new PostgresDeltas(url, systemClock);
  reader = new PostgresDeltas(url, systemClock);
});

afterAll(async () => {
  await Promise.all([writer.close(), reader.close()]);
  await dropDatabase(url);
});

/** Publishes until something arrives, because a delta may be lost while the reader is not connected yet. */
async function connect(taskId: string): Promise<void> {
  const arrived = vi.fn<() => void>();
  const end = reader.subscribe(taskId, arrived);
  while (arrived.mock.calls.length === 0) {
    writer.publish(taskId, { step: 0, attempt: 1, text: '?' });
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect(arrived).toHaveBeenCalled();
  end();
  end();
}

describe('PostgresDeltas', () => {
  it('transmits text of any length and kind to the readers of another process, in order and unchanged', async () => {
    await connect('t1');
    const text = 'Ärger \u0000\n"\\ 漢字 🙂'.repeat(700);
    const read: ReplyDelta[] = [];
    const whole = Promise.withResolvers<void>();
    const end = reader.subscribe('t1', (delta) => {
      if (!('step' in delta) || delta.step !== 1) return;
      read.push(delta);
      if (read.reduce((length, piece) => length + piece.text.length, 0) >= text.length) whole.resolve();
    });
    for (let at = 0; at < text.length; at += 1000) writer.publish('t1', { step: 1, attempt: 2, text: text.slice(at, at + 1000) });
    await whole.promise;
    end();
    expect(read.map((piece) => piece.text).join('')).toBe(text);
    expect(read.every(({ attempt }) => attempt === 2)).toBe(true);
  });

  it('reaches the readers of its own process immediately and once', async () => {
    await connect('t2');
    const read: string[] = [];
    const end = writer.subscribe('t2', ({ text }) => read.push(text));
    writer.publish('t2', { step: 1, attempt: 1, text: 'a' });
    expect(read).toEqual(['a']);
    const notified = new Promise<void>((resolve) => void reader.subscribe('t2', ({ text }) => text.endsWith('b') && resolve()));
    writer.publish('t2', { step: 1, attempt: 1, text: 'b' });
    await notified;
    expect(read).toEqual(['a', 'b']);
    end();
  });

  it('continues for other readers when one of them unsubscribes twice', async () => {
    const keep = reader.subscribe('t3', () => undefined);
    const end = reader.subscribe('t3', () => undefined);
    end();
    end();
    await expect(connect('t4')).resolves.toBeUndefined();
    keep();
  });
});
