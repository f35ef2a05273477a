import type { TaskState } from '../rules/tasks/task-state.ts';
import { addTaints, refuseHost, type Taint, type Trust } from '../rules/egress/trust.ts';
import type { EgressGuard, Tool } from '../tools/toolbox/tool.ts';

/** A URL found in web content cannot encode what the task has seen elsewhere. */
function isShown({ transcript, results }: TaskState, address: string, isWebTool: (tool: string) => boolean): boolean {
  const shown = [...transcript.flatMap((entry) => (entry.role === 'tool' ? entry.results : [])), ...results];
  return shown.some(({ tool, output }) => isWebTool(tool) && standsIn(output, address));
}

/** Not as a prefix of a longer URL, which would be another page. */
function standsIn(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    if (!/[\w/?&=%#-]/.test(text.charAt(at + address.length))) return true;
  }
  return false;
}

/** What the task may connect to in its current state. `readByCommand`: what a command may have read besides the files of the user. */
export function createEgressGuard(
  state: TaskState,
  isInteractive: boolean,
  isWebTool: (tool: string) => boolean,
  readByCommand: () => readonly Taint[] = () => [],
): EgressGuard {
  const judge = (host: string) => refuseHost(state.trust, host, isInteractive);
  return {
    refuseHost: judge,
    refuseFromCommand(host, hasConnected) {
      const files: Taint[] = state.trust.hasFiles ? ['private'] : [];
      const seen = addTaints(state.trust, [...files, ...readByCommand(), ...(hasConnected ? (['untrusted'] as const) : [])]);
      return refuseHost(seen, host, isInteractive);
    },
    refuseAddress(address) {
      const host = URL.parse(address)?.hostname ?? address.slice(0, 100);
      const problem = judge(host);
      return problem === null || isShown(state, address, isWebTool) ? null : problem;
    },
  };
}

/** The taints that the tool's results add to the conversation. */
export function findTaints(tool: Tool | undefined, trust: Trust): Taint[] {
  switch (tool?.reads) {
    case 'web':
      return ['untrusted'];
    case 'private':
      return ['private'];
    case 'files':
      return trust.hasFiles ? ['private'] : [];
    case undefined:
      return [];
  }
}
