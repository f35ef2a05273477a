import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import { createSearchFiles } from './search-files.ts';
import type { Tool } from '../toolbox/tool.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = openWorkspace(createFolder('search'));
});

afterEach(() => {
  vi.restoreAllMocks();
  removeFolder(workspace.root);
});

/** A clock whose timers run when the test says so. */
function manualClock() {
  const due = new Set<() => void>();
  const { promise: armed, resolve } = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    setTimer(run) {
      due.add(run);
      resolve();
      return { cancel: () => due.delete(run) };
    },
  };
  return { clock, due, armed };
}

function search(tool: Tool, input: Record<string, unknown>, signal = new AbortController().signal) {
  return tool.run(tool.input.parse(input), toolContext(workspace, { signal }));
}

/** A folder that reports when its files are read, which is when the search thread is up. */
function watchReads(inner: Workspace): { watched: Workspace; read: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched: Workspace = {
    ...inner,
    async read(path, limit) {
      const bytes = await inner.read(path, limit);
      resolve();
      return bytes;
    },
  };
  return { watched, read: promise };
}

const endless = { query: '(a+)+$', regex: true };

describe('search_files', () => {
  it('finds lines with their files and numbers, and skips closed folders and binary files', async () => {
    await workspace.write('src/a.ts', 'let x;\nfoo(x);\n');
    await workspace.write('b.md', 'about foo(\n');
    await workspace.write('node_modules/p.js', 'foo(');
    await workspace.write('bin', new Uint8Array([...new TextEncoder().encode('foo('), 0]));
    const tool = createSearchFiles(manualClock().clock);
    expect((await search(tool, { query: 'foo(' })).output).toBe(
      'Matching lines: 2, in files: 2 (searched: 3).\n\nb.md\n1: about foo(\n\nsrc/a.ts\n2: foo(x);',
    );
    expect((await search(tool, { query: 'FOO\\(', regex: true, ignore_case: true, glob: '*.ts', context_lines: 1 })).output).toBe(
      'Matching lines: 1, in files: 1 (searched: 1).\n\nsrc/a.ts\n1- let x;\n2: foo(x);',
    );
    expect((await search(tool, { query: 'foo', path: './src/../b.md' })).output).toContain('b.md\n1: about foo(');
    expect((await search(tool, { query: 'foo', path: 'node_modules' })).output).toContain('node_modules/p.js');
    expect((await search(tool, { query: 'none of these' })).output).toBe('Matching lines: 0, in files: 0 (searched: 3).');
  });

  it('reports when it stopped early or skipped files', async () => {
    await workspace.write('a', 'x\nx\nx\n');
    await workspace.write('b', 'x'.repeat(2 * 1024 * 1024 + 1));
    const tool = createSearchFiles(manualClock().clock);
    expect((await search(tool, { query: 'x', limit: 2 })).output).toContain('the search stopped after 2 matching lines');
    expect((await search(tool, { query: 'x' })).output).toContain('left out as too large or unreadable: 1');
    await expect(search(tool, { query: 'x', path: 'gone' })).rejects.toThrow('does not exist');
  });

  it('explains an invalid expression to the model', async () => {
    const tool = createSearchFiles(manualClock().clock);
    expect(await search(tool, { query: '(', regex: true })).toMatchObject({
      status: 'error',
      output: expect.stringContaining('Unterminated group') as string,
    });
  });

  it('aborts an endless expression at the deadline', async () => {
    await workspace.write('evil', `${'a'.repeat(60)}b`);
    const { clock, due } = manualClock();
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    const { watched, read } = watchReads(workspace);
    workspace = watched;
    const run = search(createSearchFiles(clock), endless);
    await read;
    expect(due.size).toBe(1);
    for (const pass of due) pass();
    await expect(run).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ended after 5 seconds') as string,
    });
    expect(due.size).toBe(0);
    expect(terminate).toHaveBeenCalledOnce();
  });

  it('aborts an endless glob in the same way', async () => {
    await workspace.write('a'.repeat(200), 'x');
    const { clock, due, armed } = manualClock();
    const run = search(createSearchFiles(clock), { query: 'x', glob: `${'*a'.repeat(20)}b` });
    const ended = expect(run).rejects.toMatchObject({ code: 'unavailable' });
    await armed;
    for (const pass of due) pass();
    await ended;
  });

  it('ends at once when the task is stopped, also while queued', async () => {
    await workspace.write('a', `${'a'.repeat(60)}b`);
    const tool = createSearchFiles(manualClock().clock);
    const { watched, read } = watchReads(workspace);
    workspace = watched;
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    const stops = Array.from({ length: 4 }, () => new AbortController());
    const runs = stops.map(({ signal }) => search(tool, endless, signal));
    const ends = runs.map((run, index) => expect(run).rejects.toBe(`stop ${index}`));
    await read;
    for (const index of [3, 0, 1, 2]) {
      stops[index]?.abort(`stop ${index}`);
      await ends[index];
    }
    // Every started thread has ended, and every slot was released.
    expect(terminate.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect((await search(tool, { query: 'b' })).status).toBe('success');
    await expect(search(tool, endless, AbortSignal.abort('before'))).rejects.toBe('before');
  });
});
