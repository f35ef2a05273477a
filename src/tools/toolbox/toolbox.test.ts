import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { silentLog } from '@errand/base/log.ts';
import { type Workspace } from '@errand/sandbox/workspace';
import { createReadTask } from '../tasks/read-task.ts';
import { createSubtaskTool } from '../tasks/create-subtask.ts';
import { standardTools } from '../standard-tools.ts';
import { defineTool, NoOutcome, type Tool, type ToolOutcome } from './tool.ts';
import type { Offering } from './tool-definitions.ts';
import { createToolbox } from './toolbox.ts';

let workspace: Workspace;

useWorkspace('toolbox', (opened) => {
  workspace = opened;
});

const contextOf = (signal = new AbortController().signal) => toolContext(workspace, { callId: 'call_1', signal });

function probe(run: (input: { text: string }, signal: AbortSignal) => Promise<ToolOutcome>) {
  return defineTool({
    name: 'probe',
    description: 'Probes.',
    input: z.strictObject({ text: z.string(), times: z.int().max(9).default(1) }),
    effect: 'retry',
    summarize: ({ text }) => ({ brief: `Probing ${text}`, action: 'Probing', param: text }),
    run: (input, { signal }) => run(input, signal),
  });
}

const failing = (fault: Error) => probe(() => Promise.reject(fault));
const echo = probe(({ text }) => Promise.resolve({ status: 'success', output: text }));

const nothing: Offering = { user: false, subtasks: false, skills: false, references: false, images: false };
const attended: Offering = { ...nothing, user: true };

describe('the tools a model is offered', () => {
  const toolbox = createToolbox(
    [...standardTools(systemClock), createReadTask(() => Promise.resolve(null)), createSubtaskTool],
    silentLog,
  );
  const namesFor = (offering: Offering) => toolbox.definitions(offering).map(({ name }) => name);

  it('are sorted and always the same frozen ones', () => {
    const names = namesFor(attended);
    expect(names).toEqual(names.toSorted());
    const known = [
      'ask_user',
      'edit_file',
      'list_files',
      'make_chart',
      'read_file',
      'search_files',
      'unpack_archive',
      'update_plan',
      'write_file',
    ];
    expect(names).toEqual(expect.arrayContaining(known));
    expect(toolbox.definitions(attended)).toBe(toolbox.definitions({ ...attended }));
    expect(toolbox.definitions(nothing)).toBe(toolbox.definitions({ ...nothing }));
    for (const definition of toolbox.definitions(attended)) {
      expect(
        Object.isFrozen(definition) &&
          Object.isFrozen(definition.inputSchema) &&
          Object.isFrozen(definition.inputSchema.properties),
      ).toBe(true);
    }
  });

  it('are those that can do something in the task', () => {
    const always = namesFor(nothing);
    const added = (offering: Partial<Offering>) => namesFor({ ...nothing, ...offering }).filter((name) => !always.includes(name));
    expect(added({ user: true })).toEqual(['ask_user']);
    expect(added({ subtasks: true })).toEqual(['create_subtask']);
    expect(added({ skills: true })).toEqual(['load_skill']);
    expect(added({ references: true })).toEqual(['read_task']);
    expect(added({ images: true })).toEqual(['make_image']);
    expect(added({ user: true, subtasks: true, skills: true, references: true, images: true })).toHaveLength(5);
    expect(always.filter((name) => /shell|code|audio|web|browser|deliver/.test(name))).toEqual([]);
  });

  it('are found by their exact name only', () => {
    expect(toolbox.find('read_file')?.effect).toBe('retry');
    for (const name of ['', 'Read_file', '__proto__', 'constructor']) expect(toolbox.find(name)).toBeUndefined();
  });

  it('cannot include two of one name', () => {
    expect(() => createToolbox([echo, echo], silentLog)).toThrow('the same name');
  });
});

describe('running a call', () => {
  it('returns the outcome of the tool and its description for people', async () => {
    const outcome = await createToolbox([echo], silentLog).runCall({ tool: 'probe', input: { text: 'hello' } }, contextOf());
    expect(outcome).toEqual({ status: 'success', output: 'hello', brief: 'Probing hello', action: 'Probing', param: 'hello' });
  });

  it('answers an unknown tool with the names of those that exist', async () => {
    const toolbox = createToolbox(standardTools(systemClock), silentLog);
    const names = toolbox.definitions({ ...nothing, skills: true }).map(({ name }) => name);
    const outcome = await toolbox.runCall({ tool: 'open_file', input: {} }, contextOf());
    expect(outcome.status).toBe('error');
    expect(outcome.output).toBe(`There is no tool "open_file". The tools are ${names.join(', ')}.`);
  });

  it('says that there is no search engine to a model that looks for one', async () => {
    const { output } = await createToolbox([echo], silentLog).runCall({ tool: 'web_search', input: {} }, contextOf());
    expect(output).toBe('There is no tool "web_search". This service has no search engine. The tools are probe.');
  });

  it('shows of alternatives only the one that was meant, and not the whole input', async () => {
    const open = z.strictObject({ do: z.literal('open'), url: z.string() });
    const evaluate = z.strictObject({ do: z.literal('evaluate'), expression: z.string() });
    const steps = z.strictObject({ actions: z.array(z.discriminatedUnion('do', [open, evaluate])) });
    const tool: Tool = { ...echo, input: steps };
    const input = { actions: [{ do: 'evaluate', script: '1' }] };
    const { output } = await createToolbox([tool], silentLog).runCall({ tool: 'probe', input }, contextOf());
    expect(output.split('\n')).toEqual([
      'The input of probe is wrong:',
      '- actions.0.expression: is missing. Expected: string',
      '- actions.0: Unrecognized key: "script". Expected: {do: "evaluate", expression: string}',
      'Correct the input and call again.',
    ]);
  });

  it.each([
    ['{"text":', /expected object, received string/],
    [null, /expected object/],
    [[], /expected object/],
    [{ times: 2 }, /text: is missing. Expected: string$/m],
    [{ text: 5 }, /text: Invalid input: expected string, received number. Expected: string$/m],
    [{ text: 'x', times: 10 }, /times: Too big.* Expected: integer$/m],
    [{ text: 'x', tmies: 1 }, /Unrecognized key: "tmies"/],
  ])('answers the wrong input %j with what is wrong and what is right, in a line each', async (input, problem) => {
    const run = vi.fn<() => Promise<ToolOutcome>>();
    const outcome = await createToolbox([probe(run)], silentLog).runCall({ tool: 'probe', input }, contextOf());
    expect(outcome).toMatchObject({ status: 'error', brief: 'Calling probe' });
    expect(outcome.output).toMatch(problem);
    expect(outcome.output).toContain('Its input is {text: string, times?: integer}.');
    expect(run).not.toHaveBeenCalled();
  });

  it('gives a model the public sentence of a Fault, and of any other error only that it failed', async () => {
    const log = { ...silentLog, error: vi.fn<() => void>() };
    const run = (error: Error) =>
      createToolbox([failing(error)], log).runCall({ tool: 'probe', input: { text: '' } }, contextOf());
    expect(await run(new Fault('not_found', 'path: is not there.', { detail: '/srv/secret' }))).toMatchObject({
      status: 'error',
      output: 'path: is not there.',
    });
    expect(log.error).not.toHaveBeenCalled();
    const outcome = await run(new Error('ECONNREFUSED 10.0.0.7 at /srv/secret'));
    expect(outcome).toMatchObject({ status: 'error', output: expect.stringMatching(/^probe failed/) as string });
    expect(JSON.stringify(outcome)).not.toMatch(/10\.0\.0\.7|secret/);
    expect(log.error).toHaveBeenCalledOnce();
  });

  it('rejects with the reason of the stop, whatever the tool makes of it', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const tool = probe(() => {
      stop.abort(reason);
      return Promise.reject(new Fault('unavailable', 'cut off'));
    });
    const call = { tool: 'probe', input: { text: '' } };
    await expect(createToolbox([tool], silentLog).runCall(call, contextOf(stop.signal))).rejects.toBe(reason);
    const run = vi.fn<() => Promise<ToolOutcome>>();
    await expect(createToolbox([probe(run)], silentLog).runCall(call, contextOf(stop.signal))).rejects.toBe(reason);
    expect(run).not.toHaveBeenCalled();
  });

  it('keeps a long output in a file that read_file can read', async () => {
    const toolbox = createToolbox([echo, ...standardTools(systemClock)], silentLog);
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`);
    const outcome = await toolbox.runCall({ tool: 'probe', input: { text: lines.join('\n') } }, contextOf());
    expect(Buffer.byteLength(outcome.output)).toBeLessThanOrEqual(16 * 1024);
    const path = /\.tool-output\/[\w-]*call_1-[0-9a-f]+\.txt/.exec(outcome.output)?.[0];
    const read = await toolbox.runCall({ tool: 'read_file', input: { path, start_line: 2500, end_line: 2500 } }, contextOf());
    expect(read.output).toContain('2500\tline 2500');
  });

  it('makes one short line of what is shown to people', async () => {
    const outcome = await createToolbox([echo], silentLog).runCall(
      { tool: 'probe', input: { text: `a\n\u001b[2J${'b'.repeat(500)}` } },
      contextOf(),
    );
    expect(outcome.param).toMatch(/^a \[2Jb+…$/);
    expect(outcome.param).toHaveLength(200);
  });
});

it('a call without an outcome, as of a task that was taken away, is no failure of its tool', async () => {
  const error = vi.fn<() => void>();
  const tool = defineTool({
    name: 'gone',
    description: 'gone',
    input: z.object({}),
    effect: 'retry',
    summarize: () => ({ brief: 'gone', action: 'gone', param: '' }),
    run: () => Promise.reject(new NoOutcome('taken away')),
  });
  const running = createToolbox([tool], { ...silentLog, error } as never).runCall(
    { tool: 'gone', input: {} },
    toolContext(workspace),
  );
  await expect(running).rejects.toBeInstanceOf(NoOutcome);
  expect(error).not.toHaveBeenCalled();
});
