import { afterEach, beforeEach } from 'vitest';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import { noSkills } from '../../../src/tools/skills/task-skills.ts';
import { TaskResources } from '../../../src/tools/toolbox/task-resources.ts';
import type { ToolContext } from '../../../src/tools/toolbox/tool.ts';
import { createFolder, removeFolder } from '../process/leftovers.ts';

/** The context of a tool that runs alone. */
export function toolContext(workspace: Workspace, changes: Partial<ToolContext> = {}): ToolContext {
  const signal = new AbortController().signal;
  return {
    accountId: 'a1',
    taskId: 't1',
    workspace,
    callId: 'call',
    signal,
    report: () => undefined,
    now: () => 0,
    skills: noSkills,
    plan: [],
    made: [],
    artifacts: [],
    step: 1,
    stored: { bytes: 0, files: 0 },
    references: [],
    resources: new TaskResources(),
    egressGuard: { refuseHost: () => null, refuseFromCommand: () => null, refuseAddress: () => null },
    sites: [],
    mapRows: () => Promise.reject(new Error('there are no rows here')),
    ...changes,
  };
}

/** Gives each test of a file an empty workspace. */
export function useWorkspace(name: string, receive: (workspace: Workspace) => void): void {
  let folder: string;
  beforeEach(() => {
    const workspace = openWorkspace(createFolder(name));
    folder = workspace.root;
    receive(workspace);
  });
  afterEach(() => removeFolder(folder));
}
