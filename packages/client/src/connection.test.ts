import { describe, expect, it, vi } from 'vitest';
import { Connection } from './connection.ts';
import { ErrandError } from './errand-error.ts';

interface Sent {
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A service that answers one reply after the other, and what it was asked. */
function scripted(...replies: (Response | Error)[]) {
  const sent: Sent[] = [];
  const fetch = (async (url: string, init: RequestInit) => {
    sent.push({ url, headers: init.headers as Record<string, string>, body: init.body as string | undefined });
    const reply = replies[sent.length - 1];
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error('nothing more was expected');
    return reply;
  }) as typeof globalThis.fetch;
  return { sent, connection: new Connection({ baseUrl: 'http://service/', apiKey: 'sk-1', fetch }) };
}

const success = () => Response.json({ ok: true, request_id: 'r', task_id: 't' });

function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ ok: false, request_id: 'r9', error: { code, message: 'no' } }, { status, headers });
}

/** Lets every pause end at once. */
function withoutWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers();
  const done = work().finally(() => vi.useRealTimers());
  void vi.advanceTimersByTimeAsync(300_000);
  return done;
}

describe('Connection', () => {
  it('sends reads as queries and writes as JSON, with the credential', async () => {
    const { sent, connection } = scripted(success(), success());
    await connection.call('task.list', 'GET', { limit: 5, cursor: undefined });
    await connection.call('task.stop', 'POST', { task_id: 't' });
    expect(sent.map(({ url }) => url)).toEqual(['http://service/v2/task.list?limit=5', 'http://service/v2/task.stop']);
    expect(sent.map(({ headers }) => headers['x-service-api-key'])).toEqual(['sk-1', 'sk-1']);
    expect(sent[1]?.body).toBe('{"task_id":"t"}');
  });

  it('retries a write with the same key, after the delay the service requests', async () => {
    const { sent, connection } = scripted(
      refusal(429, 'resource_exhausted', { 'retry-after': '7' }),
      new Error('reset'),
      success(),
    );
    const answer = await withoutWaiting(() => connection.call('task.create', 'POST', {}));
    expect(answer).toMatchObject({ task_id: 't' });
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(sent).toHaveLength(3);
  });

  it('sends a write without a key once', async () => {
    const { sent, connection } = scripted(refusal(503, 'unavailable'));
    const failure = connection.call('key.create', 'POST', {}, { idempotencyKey: null });
    await expect(failure).rejects.toMatchObject({ code: 'unavailable' });
    expect(sent.map(({ headers }) => 'idempotency-key' in headers)).toEqual([false]);
  });

  it('gives up after the last retry, with its error', async () => {
    const { sent, connection } = scripted(...Array.from({ length: 9 }, () => refusal(503, 'unavailable')));
    await expect(withoutWaiting(() => connection.call('task.list', 'GET', {}))).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
    });
    expect(sent).toHaveLength(5);
  });

  it('does not retry requests that would be rejected again, and reports why', async () => {
    const { sent, connection } = scripted(refusal(400, 'invalid_argument'));
    const failure = connection.call('task.create', 'POST', {});
    await expect(failure).rejects.toThrow(ErrandError);
    await expect(failure).rejects.toMatchObject({ code: 'invalid_argument', message: 'no', requestId: 'r9', status: 400 });
    expect(sent).toHaveLength(1);
  });

  it('treats a response without an envelope as the service being unavailable', async () => {
    const { connection } = scripted(...Array.from({ length: 5 }, () => new Response('<html>', { status: 502 })));
    await expect(withoutWaiting(() => connection.call('task.list', 'GET', {}))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends with the reason of the caller when the caller aborts', async () => {
    const leave = new AbortController();
    const fetch = ((_url: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      })) as typeof globalThis.fetch;
    const connection = new Connection({ apiKey: 'sk-1', fetch });
    const call = connection.call('task.list', 'GET', {}, { signal: leave.signal });
    leave.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  it('sends the headers of a page instead of a credential, and uses another root if given', async () => {
    const sent: [string, unknown][] = [];
    const fetch = (async (url: string, init: RequestInit) => {
      sent.push([url, init.headers]);
      return success();
    }) as typeof globalThis.fetch;
    const connection = new Connection({ baseUrl: '', root: '/web', headers: { 'x-errand-web': '1' }, fetch });
    await connection.call('session.show', 'GET', {});
    expect(sent).toEqual([['/web/session.show', { 'x-errand-web': '1' }]]);
  });

  it('requires exactly one credential', () => {
    expect(() => new Connection({})).toThrow('either apiKey or accessToken');
    expect(() => new Connection({ apiKey: 'a', accessToken: 'b' })).toThrow('either apiKey or accessToken');
    expect(() => new Connection({ apiKey: 'a', headers: {} })).toThrow('either apiKey or accessToken');
  });
});
