import { describe, expect, it } from 'vitest';
import { noFiles } from '../../../test/support/tasks/agent-under-test.ts';
import { placeAttachments } from '../../rules/messages/attachment-place.ts';
import type { Attachment, TaskEvent } from '../../rules/events/task-event.ts';
import { emptyState } from '../../rules/tasks/task-state.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { bringAttachments } from './workspace-attachments.ts';
import type { TaskRun } from '../agent-ports.ts';

const files = placeAttachments(
  [],
  ['a.txt', 'b.txt', 'c.txt'].map(
    (name): Attachment => ({ kind: 'file', filename: name, contentType: 'text/plain', bytes: 1, blobId: name }),
  ),
);

interface Machine {
  there?: string[];
  state?: 'kept' | 'new';
  gone?: string[];
}

/** A task whose first `placed` files were placed, on a machine whose workspace has these. */
function open(placed: number, { there = [], state = 'kept', gone = [] }: Machine = {}) {
  const written: string[] = [];
  const logged: TaskEvent[] = [];
  const workspace: Workspace = {
    ...noFiles,
    list: () => Promise.resolve(there.map((name) => ({ path: `attachments/${name}`, kind: 'file' as const, bytes: 1 }))),
    receive: (path) => {
      written.push(path);
      return Promise.resolve();
    },
  };
  const run = {
    task: { accountId: 'a1', taskId: 't1' },
    journal: {
      state: { ...emptyState, attachments: files, placed },
      attend: (effect: (signal: AbortSignal) => Promise<unknown>) => effect(new AbortController().signal),
      append: (events: TaskEvent[]) => Promise.resolve(void logged.push(...events)),
    },
    ports: {
      workspaceOf: () => workspace,
      openAttachment: (_: string, blobId: string) => Promise.resolve(gone.includes(blobId) ? null : (async function* () {})()),
    },
    workspace: { ready: () => Promise.resolve(state) },
  } as unknown as TaskRun;
  return { run, written, logged };
}

describe('the files of messages', () => {
  it('are placed and logged before tools run, so that changes by tools persist', async () => {
    const first = open(0);
    await bringAttachments(first.run);
    expect(first.written).toEqual(['attachments/a.txt', 'attachments/b.txt', 'attachments/c.txt']);
    expect(first.logged).toEqual([{ type: 'attachments_placed', count: 3 }]);
    const later = open(3);
    await bringAttachments(later.run);
    expect([later.written, later.logged]).toEqual([[], []]);
  });

  it('that arrive later are placed beside the others', async () => {
    const { run, written } = open(2);
    await bringAttachments(run);
    expect(written).toEqual(['attachments/c.txt']);
  });

  it('are placed again on another machine if the workspace copy lacks them', async () => {
    const { run, written, logged } = open(3, { state: 'new', there: ['b.txt'] });
    await bringAttachments(run);
    expect(written).toEqual(['attachments/a.txt', 'attachments/c.txt']);
    expect(logged).toEqual([]);
  });

  it('that the workspace lost with its copy are logged, once they can be', async () => {
    const leftOut = { count: 1, files: [{ path: 'a.sock', reason: 'special' }] };
    const { run, logged } = open(3);
    await bringAttachments({ ...run, workspace: { ...run.workspace, reportLeftOut: (report) => report(leftOut) } });
    expect(logged).toEqual([{ type: 'files_left_out', ...leftOut }]);
  });

  it('whose bytes are gone are skipped', async () => {
    const { run, written, logged } = open(0, { gone: ['b.txt'] });
    await bringAttachments(run);
    expect(written).toEqual(['attachments/a.txt', 'attachments/c.txt']);
    expect(logged).toEqual([{ type: 'attachments_placed', count: 3 }]);
  });
});
