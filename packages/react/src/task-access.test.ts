import { afterEach, describe, expect, it, vi } from 'vitest';
import { openTask } from './task-access.ts';
import { followTask, type TaskStream } from './use-task-stream.ts';

/** What the service answers, request by request; the last answer again and again. */
function serve(...answers: (() => Response)[]): string[] {
  const tokens: string[] = [];
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    tokens.push(new Headers(init?.headers).get('authorization') ?? 'none');
    return answers[Math.min(tokens.length, answers.length) - 1]?.();
  });
  return tokens;
}

const found = () => Response.json({ ok: true, task: { id: 'a' } });
const refused = () => Response.json({ ok: false, error: { code: 'unauthenticated', message: 'ended' } }, { status: 401 });
const read = (errand: ReturnType<typeof openTask>) => errand.task.detail({ task_id: 'a' });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the token of a page', () => {
  it('is asked for once, and again when the last one has ended', async () => {
    const tokens = serve(found, found, refused, found);
    let asked = 0;
    const errand = openTask('http://service.test', () => `token-${(asked += 1)}`);
    for (let round = 0; round < 3; round += 1) await read(errand);
    expect(tokens).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it('is asked for again after the server of the page could not be reached', async () => {
    vi.useFakeTimers();
    serve(found);
    let asked = 0;
    const errand = openTask('http://service.test', async () => {
      asked += 1;
      if (asked === 1) throw new TypeError('Failed to fetch');
      return 'token';
    });
    const reading = read(errand);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await reading).toMatchObject({ task: { id: 'a' } });
    expect(asked).toBe(2);
  });

  it('is asked for again by the next request after the server of the page refused', async () => {
    serve(found);
    let isRefused = true;
    const errand = openTask('http://service.test', () => {
      if (isRefused) throw new Error('no token for this task');
      return 'token';
    });
    await expect(read(errand)).rejects.toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('no token') as string,
    });
    isRefused = false;
    expect(await read(errand)).toMatchObject({ task: { id: 'a' } });
  });

  it('is used as it is when it is a text, and its refusal is final', async () => {
    const tokens = serve(refused);
    await expect(read(openTask('http://service.test', 'given'))).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(tokens).toEqual(['Bearer given']);
  });
});

describe('a task that is followed', () => {
  it('is connected again as soon as the service accepts, before there is an event', async () => {
    vi.useFakeTimers();
    const ending = () => new Response('data: {"id":"1","type":"user_message","timestamp":1}\n\n');
    const silent = () => new Response(new ReadableStream());
    serve(ending, silent);
    const leaving = new AbortController();
    const shown: Partial<TaskStream>[] = [];
    const following = followTask(openTask('http://service.test', 'token'), 'a', leaving.signal, (change) => shown.push(change));
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown.flatMap(({ isConnected }) => isConnected ?? [])).toEqual([true, true, false, true]);
    leaving.abort();
    void following;
  });
});
