import { z } from 'zod';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import type { EgressPolicy } from '../../rules/egress/egress-policy.ts';
import type { Sandbox } from '@errand/sandbox';
import { describeRegistries, type PackageRegistries } from '../../rules/egress/package-registries.ts';
import { listFurnishings } from '@errand/sandbox/furnishings';
import { longestTimeoutS, usualTimeoutS } from './command-outcome.ts';

export const timeoutField = z
  .int()
  .min(1)
  .max(longestTimeoutS)
  .default(usualTimeoutS)
  .describe(`Up to ${longestTimeoutS}; default ${usualTimeoutS}.`);

/** Where commands and code run, and what they can reach from there. */
export interface CommandParts {
  sandbox: Sandbox;
  clock: Clock;
  policy: EgressPolicy;
  /** Reachable whatever the policy says. */
  registries: PackageRegistries;
  log: Log;
  /** Where people look at the servers of tasks; absent or null for nowhere. */
  channel?: Broadcast | null;
}

function describeNetwork({ policy, registries }: CommandParts): string {
  const installing = describeRegistries(registries);
  if (policy.kind === 'none') return `No root, no network${installing === '' ? '.' : `, but ${installing}`}`;
  const reachable = policy.kind === 'public' ? 'public hosts' : policy.patterns.join(', ');
  return `No root; the only network is a proxy (http_proxy, https_proxy) to ${reachable}. ${installing}`.trim();
}

/** What the model should know about the environment of its commands. */
export function describeSandbox(parts: CommandParts): string {
  const { programs, missing } = listFurnishings(parts.sandbox);
  const has = programs.length === 0 ? '' : `Has ${programs.join(', ')}. `;
  const lacks = missing.length === 0 ? '' : `Lacks ${missing.join(', ')}. `;
  return `${has}${lacks}${describeNetwork(parts)}`;
}
