import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import type { ModelReply, ToolDefinition } from '../model.ts';
import { lineUsages } from './instruction-lines.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { guidance } from './offline-guidance.ts';
import { createOfflineModel } from './offline-model.ts';

const model = createOfflineModel();
const usualTools = [
  'write_file',
  'read_file',
  'edit_file',
  'list_files',
  'search_files',
  'unpack_archive',
  'fetch_url',
  'search_web',
  'run_shell',
  'ask_user',
  'update_plan',
];

function offer(names: readonly string[]): ToolDefinition[] {
  return names.map((name) => ({ name, description: '', inputSchema: {} }));
}

async function reply(transcript: readonly TranscriptEntry[], tools = usualTools): Promise<ModelReply> {
  return model.call(
    { system: '', transcript, tools: offer(tools) },
    { signal: new AbortController().signal, onText: () => undefined },
  );
}

type ToolRun = (tool: string, input: unknown) => string | Error;

interface Run {
  transcript: TranscriptEntry[];
  calls: { tool: string; input: unknown }[];
  ids: string[];
  text: string;
}

function textOf({ parts }: ModelReply): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** Drives the model as the agent does, until a reply without calls. */
async function drive(
  before: readonly TranscriptEntry[],
  said: string,
  run: ToolRun = () => 'ok',
  tools = usualTools,
): Promise<Run> {
  const transcript: TranscriptEntry[] = [...before, { role: 'user', text: said }];
  const done: Run = { transcript, calls: [], ids: [], text: '' };
  for (let steps = 0; steps < 100; steps++) {
    const { parts, ...rest } = await reply(transcript, tools);
    transcript.push({ role: 'assistant', parts });
    const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
    if (calls.length === 0) return { ...done, text: textOf({ parts, ...rest }) };
    const results = calls.map(({ id, tool, input }) => {
      done.calls.push({ tool, input });
      done.ids.push(id);
      const outcome = run(tool, input);
      return {
        callId: id,
        tool,
        output: outcome instanceof Error ? outcome.message : outcome,
        isError: outcome instanceof Error,
      };
    });
    transcript.push({ role: 'tool', results });
  }
  throw new Error('the model never came to an end');
}

describe('a reply at once', () => {
  const askAtOnce = (text: string) =>
    model.replyAtOnce?.({ system: '', transcript: [{ role: 'user', text }], tools: offer(usualTools) }, () => undefined) ?? null;

  it.each(['say done', 'write notes.txt with milk', 'what is this?'])('is there for what needs no time: %s', async (text) => {
    expect(askAtOnce(text)).toEqual(await reply([{ role: 'user', text }]));
  });

  it.each(['wait 1 s', 'stream hello', 'fail no such model', 'wait 1 s\nsay done'])(
    'is not there for what takes its time or fails: %s',
    (text) => {
      expect(askAtOnce(text)).toBe(null);
    },
  );
});

describe('offline-1 and lines', () => {
  it('delivers the files it writes in the same reply, if delivery is available', async () => {
    const tools = [...usualTools, 'deliver'];
    const said = 'write a.md with A\nread a.md\ndeliver "b c" as The letter';
    const refuse = (tool: string) => (tool === 'deliver' ? new Error('no room') : 'ok');
    const { calls, text } = await drive([], said, (tool) => (tool === 'read_file' ? 'A' : 'ok'), tools);
    expect(calls).toEqual([
      { tool: 'write_file', input: { path: 'a.md', content: 'A' } },
      { tool: 'deliver', input: { files: [{ path: 'a.md' }] } },
      { tool: 'read_file', input: { path: 'a.md' } },
      { tool: 'deliver', input: { files: [{ path: 'b c', name: 'The letter' }] } },
    ]);
    expect(text).toBe('Done:\n- wrote a.md\n- read a.md:\nA\n- delivered b c');
    expect((await drive([], 'write a.md with A', refuse, tools)).text).toBe('Failed: write a.md (no room)');
  });

  it('turns each line into a tool call, one per reply, in order', async () => {
    const said = [
      'Please do this:',
      'plan Look; Write',
      'list',
      'list docs',
      '- write hello.md with Hello, world',
      'WRITE "my file.txt" with ',
      'read hello.md',
      'edit hello.md replace Hello with Good bye',
      'search world',
      'unpack a.zip into b',
      'fetch https://example.com/',
      'fetch me something',
      'find blue whales on the web',
      'find nothing',
      'run ls -l | wc -l',
      'ask Is it good?',
    ].join('\n');
    const { calls } = await drive([], said);
    expect(calls).toEqual([
      {
        tool: 'update_plan',
        input: {
          steps: [
            { title: 'Look', status: 'doing' },
            { title: 'Write', status: 'todo' },
          ],
        },
      },
      { tool: 'list_files', input: { path: '.' } },
      { tool: 'list_files', input: { path: 'docs' } },
      { tool: 'write_file', input: { path: 'hello.md', content: 'Hello, world' } },
      { tool: 'write_file', input: { path: 'my file.txt', content: '' } },
      { tool: 'read_file', input: { path: 'hello.md' } },
      { tool: 'edit_file', input: { path: 'hello.md', old_string: 'Hello', new_string: 'Good bye' } },
      { tool: 'search_files', input: { query: 'world' } },
      { tool: 'unpack_archive', input: { path: 'a.zip', into: 'b' } },
      { tool: 'fetch_url', input: { url: 'https://example.com/' } },
      { tool: 'search_web', input: { query: 'blue whales' } },
      { tool: 'run_shell', input: { command: 'ls -l | wc -l' } },
      { tool: 'ask_user', input: { question: 'Is it good?' } },
    ]);
  });

  it('answers a lone say with exactly its text', async () => {
    expect((await drive([], 'say Hello  there')).text).toBe('Hello  there');
  });

  it('sends the text before a call along with it', async () => {
    const { parts } = await reply([{ role: 'user', text: 'say First I write.\nwrite a with b' }]);
    expect(parts).toMatchObject([
      { type: 'text', text: 'First I write.' },
      { type: 'call', tool: 'write_file' },
    ]);
  });

  it('summarizes the work, with the results the user asked for', async () => {
    const { text } = await drive([], 'write a.md with A\nread a.md', (tool) => (tool === 'read_file' ? 'A' : 'ok'));
    expect(text).toBe('Done:\n- wrote a.md\n- read a.md:\nA');
  });

  it('never reports failed work as done, even with a say line', async () => {
    const run: ToolRun = (tool) => (tool === 'run_shell' ? new Error('[exit code 2]') : 'ok');
    expect((await drive([], 'write a with b\nrun make', run)).text).toBe('Done: wrote a\n\nFailed: run make (exit code 2)');
    expect((await drive([], 'run make\nsay All good', run)).text).toBe('All good\n\nFailed: run make (exit code 2)');
  });

  it('reports a missing tool and executes the rest', async () => {
    const { text, calls } = await drive([], 'ask Why?\nwrite a with b', () => 'ok', ['write_file']);
    expect(calls).toHaveLength(1);
    expect(text).toBe('Done: wrote a\n\nNot possible: ask "Why?" (the tool ask_user is not available in this task)');
  });

  it('unpacks archives also where the tool for it works without being shown', async () => {
    const { text, calls } = await drive([], 'unpack a.zip into b', () => 'a', ['run_shell']);
    expect(calls).toMatchObject([{ tool: 'unpack_archive' }]);
    expect(text).toBe('Done: unpacked a.zip:\na');
  });

  it('continues with the next line after an answer to its question', async () => {
    const { text } = await drive([], 'ask Which colour?\nwrite a with b', (tool) => (tool === 'ask_user' ? 'blue' : 'ok'));
    expect(text).toBe('Done:\n- asked "Which colour?":\nblue\n- wrote a');
  });

  it('starts over with a later message that contains lines', async () => {
    const first = await drive([], 'write a with b');
    const second = await drive(first.transcript, 'write c with d');
    expect(second.calls).toEqual([{ tool: 'write_file', input: { path: 'c', content: 'd' } }]);
    expect(second.text).toBe('Done: wrote c');
    expect(new Set([...first.ids, ...second.ids]).size).toBe(2);
  });

  it('treats messages without a reply between them as one', async () => {
    const { calls } = await drive([{ role: 'user', text: 'write a with 1' }], 'write b with 2');
    expect(calls).toHaveLength(2);
  });

  it('resumes unfinished lines after a message without any', async () => {
    const stopped: TranscriptEntry[] = [
      { role: 'user', text: 'write a with 1\nwrite b with 2' },
      { role: 'assistant', parts: [{ type: 'call', id: 'x', tool: 'write_file', input: {} }] },
      { role: 'tool', results: [{ callId: 'x', tool: 'write_file', output: 'Cancelled', isError: true }] },
    ];
    const { calls, text } = await drive(stopped, 'please continue');
    expect(calls).toEqual([{ tool: 'write_file', input: { path: 'b', content: '2' } }]);
    expect(text).toBe('Done: wrote b\n\nFailed: write a (Cancelled)');
  });

  it('gives the same reply to the same transcript, so that a crash changes nothing', async () => {
    const { transcript } = await drive([], 'plan A; B\nwrite a with 1\nask Sure?\nrun ls\nsay bye');
    for (let length = 1; length < transcript.length; length += 2) {
      const again = await reply(transcript.slice(0, length));
      expect({ role: 'assistant', parts: again.parts }).toEqual(transcript[length]);
    }
  });
});

describe('offline-1 and lines for tests of programs', () => {
  const ask = (text: string, attempt = 1, signal = new AbortController().signal, clock = new TestClock()) => {
    const words: string[] = [];
    const request = { system: '', transcript: [{ role: 'user' as const, text }], tools: offer(usualTools), attempt };
    const asked = createOfflineModel(clock).call(request, { signal, onText: (word) => words.push(word) });
    return { asked, words, clock };
  };

  it('refuses permanently with the given text', async () => {
    await expect(ask('fail out of luck').asked).rejects.toMatchObject({ kind: 'refused', message: 'out of luck' });
  });

  it('asks for as many retries as it is told to, and then replies', async () => {
    const said = 'rate-limit 2\nsay done';
    const refusal = { kind: 'overloaded', retryAfterMs: 1000 };
    for (const attempt of [1, 2]) await expect(ask(said, attempt).asked).rejects.toMatchObject(refusal);
    expect(textOf(await ask(said, 3).asked)).toBe('done');
  });

  it('waits before it replies, and stops at once if nobody waits for it any more', async () => {
    const { asked, clock, words } = ask('wait 60\nwait 1 second\nsay done');
    await clock.advance(60_999);
    expect(words).toEqual([]);
    await clock.advance(1);
    expect(textOf(await asked)).toBe('done');
    const controller = new AbortController();
    const given = ask('wait 60\nsay done', 1, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(given.asked).rejects.toThrow('stopped');
  });

  it('sends a slow reply word by word', async () => {
    const { asked, clock, words } = ask('stream one two three');
    await clock.advance(50);
    expect(words).toEqual(['one ', 'two ']);
    await clock.advance(100);
    expect([textOf(await asked), words.length]).toEqual(['one two three', 3]);
  });

  it('calls any tool with the given input, and takes plain sentences for none of these lines', async () => {
    const { calls, text } = await drive([], 'tool list_files {"path": "a"}\ntool update_plan', () => 'ok');
    expect(calls).toEqual([
      { tool: 'list_files', input: { path: 'a' } },
      { tool: 'update_plan', input: {} },
    ]);
    expect(text).toContain('called list_files:\nok');
    for (const said of ['wait for me', 'wait 5 apples', 'rate-limit', 'rate-limit none', 'tool list_files [1]', 'wait 99999']) {
      expect((await drive([], said)).text).toBe(guidance);
    }
  });
});

describe('offline-1 without lines', () => {
  it('says in two lines that no language model is connected and where to connect one, without its own grammar', async () => {
    const { text } = await drive([], 'Write me a poem about the sea, and read it to me.');
    expect(text).toBe(guidance);
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines).toEqual([
      expect.stringContaining('No language model is connected'),
      expect.stringMatching(/Instance → Models.*errand model set.*ask whoever runs it/),
    ]);
    for (const usage of lineUsages) expect(text).not.toContain(usage);
  });

  it('marks this reply, and no other, as one in which nobody worked on the message', async () => {
    const call = async (text: string) => {
      const request = { system: '', transcript: [{ role: 'user', text } as const], tools: [] };
      return createOfflineModel().call(request, { signal: new AbortController().signal, onText: () => undefined });
    };
    expect((await call('Write me a poem about the sea.')).isUnanswered).toBe(true);
    expect((await call('say hello')).isUnanswered).toBe(undefined);
  });

  it('is documented with every line that it understands', () => {
    const page = readFileSync(new URL('../../../docs/operate/models.md', import.meta.url), 'utf8');
    for (const usage of lineUsages) expect(page).toContain(`| \`${usage.replaceAll('|', '\\|')}\` |`);
  });

  it('repeats this for a message after finished lines', async () => {
    const first = await drive([], 'write a with b');
    expect((await drive(first.transcript, 'thanks')).text).toBe(guidance);
  });

  it('ends quickly with any message', async () => {
    const hostile = [
      '"'.repeat(200_000),
      `edit ${' '.repeat(200_000)}`,
      `write "${' with'.repeat(40_000)}`,
      '\n'.repeat(200_000),
    ];
    hostile.push('```scenario\n'.repeat(10_000), `\`\`\`scenario\n${'['.repeat(100_000)}\n\`\`\``);
    for (const said of hostile) await drive([], said, () => 'ok', []);
    await fc.assert(fc.asyncProperty(fc.string(), async (said) => void (await drive([], said))));
  });
});

describe('offline-1 and scenarios', () => {
  const scenario = (steps: unknown) =>
    `Go.\n\`\`\`scenario\n${typeof steps === 'string' ? steps : JSON.stringify(steps)}\n\`\`\`\nwrite x with y`;

  it('performs one step per reply, with any tool and any repetition', async () => {
    const steps = [
      { text: 'Both.', calls: [{ tool: 'a', input: { n: 1 } }, { tool: 'b' }] },
      { calls: [{ tool: 'c', input: [] }], repeat: 3 },
    ];
    const { calls, text } = await drive([], scenario(steps), (tool) => (tool === 'b' ? new Error('no b') : 'ok'));
    expect(calls.map((call) => call.tool)).toEqual(['a', 'b', 'c', 'c', 'c']);
    expect(text).toBe('The scenario is over: 5 tool calls, 1 failed.\n- b: no b');
  });

  it('ends at a step without calls', async () => {
    expect((await drive([], scenario([{ text: 'The end.' }, { text: 'never' }]))).text).toBe('The end.');
  });

  it.each(['not json', '{"text":"a"}', '[{"calls":7}]', '[{"repeat":0}]', '[7]'])(
    'reports what is wrong with %s',
    async (steps) => {
      const { calls, text } = await drive([], scenario(steps));
      expect(calls).toEqual([]);
      expect(text).toMatch(/^The scenario block cannot be used: .+/);
    },
  );
});

describe('offline-1', () => {
  it('emits exactly the text of its reply, in pieces', async () => {
    const pieces: string[] = [];
    const transcript = [{ role: 'user' as const, text: 'say one two three four' }];
    const call = { signal: new AbortController().signal, onText: (text: string) => void pieces.push(text) };
    const { parts, usage } = await model.call({ system: '', transcript, tools: [] }, call);
    expect(pieces.length).toBeGreaterThan(1);
    expect(parts).toEqual([{ type: 'text', text: pieces.join('') }]);
    expect(usage.output).toBeGreaterThan(0);
  });

  it('does nothing for a task that is stopped', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(model.call({ system: '', transcript: [], tools: [] }, { signal, onText: () => undefined })).rejects.toThrow(
      'stopped',
    );
  });
});
