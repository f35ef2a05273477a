import type { Workspace } from '../../src/sandbox/workspace.ts';
import { noSkills } from '../../src/tools/task-skills.ts';
import type { ToolContext } from '../../src/tools/tool.ts';

/** What a tool is given when it is run by itself. */
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
    references: [],
    reach: { refuseHost: () => null, refuseFromCommand: () => null, refuseAddress: () => null },
    sites: [],
    ...changes,
  };
}
