import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());
beforeEach(() => server.reset());

async function ask(base: string, path: string, body: unknown): Promise<string> {
  return (await fetch(`${base}/${path}`, { method: 'POST', body: JSON.stringify(body) })).text();
}

/** One conversation in each protocol: a question, a tool call, its result. */
const conversations = [
  {
    path: 'responses',
    asked: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'mark-1' }] }] },
    answered: {
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'mark-1' }] },
        { type: 'reasoning' },
        { type: 'function_call', call_id: 'c' },
        { type: 'function_call_output', call_id: 'c', output: 'mark-2' },
      ],
    },
  },
  {
    path: 'chat/completions',
    asked: { messages: [{ role: 'user', content: 'mark-1' }] },
    answered: {
      messages: [{ role: 'user', content: 'mark-1' }, { role: 'assistant' }, { role: 'tool', content: 'mark-2' }],
    },
  },
  {
    path: 'messages',
    asked: { messages: [{ role: 'user', content: [{ type: 'text', text: 'mark-1' }] }] },
    answered: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'mark-1' }] },
        { role: 'assistant', content: [] },
        { role: 'user', content: [{ type: 'tool_result', content: 'mark-2' }] },
      ],
    },
  },
  {
    path: 'models/m:streamGenerateContent',
    asked: { contents: [{ role: 'user', parts: [{ text: 'mark-1' }] }] },
    answered: {
      contents: [
        { role: 'user', parts: [{ text: 'mark-1' }] },
        { role: 'model', parts: [] },
        { role: 'user', parts: [{ functionResponse: { response: 'mark-2' } }] },
      ],
    },
  },
];

it.each(conversations)('derives the position in the script from the conversation at $path', async ({ path, asked, answered }) => {
  await server.script([
    { match: 'mark-2', steps: [{ text: 'wrong' }] },
    { match: 'mark-1', steps: [{ text: 'first' }, { text: 'second' }] },
  ]);
  expect(await ask(server.openaiUrl, path, asked)).toContain('first');
  expect(await ask(server.openaiUrl, path, asked)).toContain('first');
  expect(await ask(server.openaiUrl, path, answered)).toContain('second');
});

it.each(conversations)('responds immediately at $path if nothing is scripted', async ({ path, asked }) => {
  expect(await ask(server.openaiUrl, path, asked)).toContain('Done.');
});

it('records who closed which call, and when', async () => {
  await server.script([
    { match: 'cut', steps: [{ text: 'x', end: 'cut' }] },
    { match: 'stall', steps: [{ text: 'x', end: 'stall' }] },
  ]);
  const say = (text: string, signal?: AbortSignal) =>
    fetch(`${server.openaiUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages: [{ role: 'user', content: text }] }),
      ...(signal && { signal }),
    });
  await (await say('plain')).text();
  await expect(say('cut').then((response) => response.text())).rejects.toThrow();
  const stop = new AbortController();
  await say('stall', stop.signal);
  stop.abort();
  const closed = await server.waitFor({ state: 'closed', count: 3 });
  expect(closed.map((call) => call.outcome)).toEqual(['completed', 'cut', 'aborted']);
  for (const call of closed) expect(call.closedAtMs).toBeGreaterThanOrEqual(call.startedAtMs);
});
