import type { TaskState } from '../rules/tasks/task-state.ts';
import { addTaints, type HostPort, placeOf, refuseHost, type Taint, type Trust } from '../rules/egress/trust.ts';
import type { EgressGuard, Tool } from '../tools/toolbox/tool.ts';

/** Whether web content has shown this URL, which then cannot encode what the task has seen elsewhere. */
function isShown({ transcript, results }: TaskState, address: string, isWebTool: (tool: string) => boolean): boolean {
  const shown = [...transcript.flatMap((entry) => (entry.role === 'tool' ? entry.results : [])), ...results];
  return shown.some(({ tool, output }) => isWebTool(tool) && standsIn(output, address));
}

/** Whether a text contains a URL as a whole, not as the prefix of a longer URL, which would be another page. */
function standsIn(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    if (!/[\w/?&=%#-]/.test(text.charAt(at + address.length))) return true;
  }
  return false;
}

/**
 * Creates the guard that decides what the task may connect to. It uses the current state, because what a call has started continues after
 * its result. `readByCommand`: what a command may have read besides the files of the user.
 */
export function createEgressGuard(
  journal: { readonly state: TaskState },
  isInteractive: boolean,
  isWebTool: (tool: string) => boolean,
  readByCommand: () => readonly Taint[] = () => [],
): EgressGuard {
  const refuse = (place: HostPort) => refuseHost(journal.state.trust, place, isInteractive);
  return {
    refuseHost: refuse,
    refuseFromCommand(place, hasConnected) {
      const { trust } = journal.state;
      const files: Taint[] = trust.hasFiles ? ['private'] : [];
      const seen = addTaints(trust, [...files, ...readByCommand(), ...(hasConnected ? (['untrusted'] as const) : [])]);
      return refuseHost(seen, place, isInteractive);
    },
    refuseAddress(address) {
      const url = URL.parse(address);
      const problem = refuse(url ? placeOf(url) : { host: address.slice(0, 100), port: 443 });
      return problem === null || isShown(journal.state, address, isWebTool) ? null : problem;
    },
  };
}

/** The taints that the tool's results add to the conversation. */
export function findTaints(tool: Pick<Tool, 'reads'> | undefined, trust: Trust): Taint[] {
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
