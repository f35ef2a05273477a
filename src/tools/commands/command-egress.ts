import type { Egress } from '@errand/sandbox';
import { type EgressPolicy, refuseByPolicy } from '../../rules/egress/egress-policy.ts';
import { listRegistryPlaces, type PackageRegistries } from '../../rules/egress/package-registries.ts';
import type { EgressGuard } from '../toolbox/tool.ts';

interface Reach {
  policy: EgressPolicy;
  registries: PackageRegistries;
}

function isFirst(connectedHosts: readonly string[], host: string): boolean {
  return connectedHosts.every((one) => one === host);
}

/**
 * The network access of commands, undefined where they have none. `guardOf` returns the guard of the task as it is now; `connectedHosts`
 * receives every connected host.
 */
export function createCommandEgress(
  { policy, registries }: Reach,
  guardOf: () => EgressGuard,
  connectedHosts: string[],
  note: (host: string) => void,
): Egress | undefined {
  const places = listRegistryPlaces(registries);
  if (policy.kind === 'none' && places.length === 0) return undefined;
  return {
    refuse(host, port) {
      // Hosts named by the operator are not new ones.
      if (places.includes(`${host}:${port}`)) return null;
      const problem = refuseByPolicy(policy, host);
      if (problem !== null || policy.kind === 'hosts') return problem;
      return guardOf().refuseFromCommand({ host, port }, !isFirst(connectedHosts, host));
    },
    onConnect(host) {
      connectedHosts.push(host);
      note(host);
    },
  };
}
