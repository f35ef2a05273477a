import { DatabaseError, type Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { runExclusive, runTogether } from './postgres-batch.ts';
import { lastStep, type Script, selectAll, sql } from './store-operation.ts';

interface SentQuery {
  text: string;
  callback(error: Error | null, result?: { rows: object[] }): void;
}

/** A connection whose server answers every statement, or refuses those that the test names. */
function makeClient(refuse: (text: string) => Error | null = () => null) {
  const sent: string[] = [];
  const answer = (text: string) => {
    sent.push(text.split(' ', 1)[0] ?? '');
    return refuse(text);
  };
  const query = (asked: string | SentQuery) => {
    if (typeof asked === 'string') {
      const error = answer(asked);
      return error ? Promise.reject(error) : Promise.resolve({ rows: [] });
    }
    const error = answer(asked.text);
    queueMicrotask(() => asked.callback(error, { rows: [] }));
    return undefined;
  };
  const client = { query, connection: { stream: { cork: () => undefined, uncork: () => undefined } } };
  return { client: client as unknown as Client, sent };
}

function* write(value: number): Script<number> {
  yield* selectAll('SELECT ?', value);
  yield lastStep([sql('INSERT INTO numbers VALUES (?)', value)]);
  return value;
}

describe('a transaction whose last statements are known', () => {
  it('has one commit, sent with them, for one script and for several', async () => {
    const alone = makeClient();
    expect(await runExclusive(alone.client, write(1))).toBe(1);
    expect(alone.sent).toEqual(['BEGIN', 'SELECT', 'INSERT', 'COMMIT']);
    const shared = makeClient();
    expect(await runTogether(shared.client, [write(1), write(2)])).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
    ]);
    expect(shared.sent).toEqual(['BEGIN', 'SELECT', 'SELECT', 'INSERT', 'INSERT', 'COMMIT']);
  });

  it('is over after a refused statement, and can be run again', async () => {
    const refused = new DatabaseError('duplicate', 9, 'error');
    refused.code = '23505';
    const refuse = (text: string) => (text.startsWith('INSERT') ? refused : null);
    const [alone, shared] = [makeClient(refuse), makeClient(refuse)];
    await expect(runExclusive(alone.client, write(1))).rejects.toBe(refused);
    expect(await runTogether(shared.client, [write(1), write(2)])).toBeNull();
    for (const { sent } of [alone, shared]) expect(sent).not.toContain('ROLLBACK');
  });

  it('is never run again if the connection or the server fails during its commit', async () => {
    const shutdown = new DatabaseError('terminating connection', 9, 'error');
    shutdown.code = '57P01';
    for (const failure of [new Error('Connection terminated unexpectedly'), shutdown]) {
      const { client } = makeClient((text) => (text === 'COMMIT' ? failure : null));
      await expect(runTogether(client, [write(1), write(2)])).rejects.toBe(failure);
    }
  });
});
