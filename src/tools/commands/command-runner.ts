import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { EgressPolicy } from '../../rules/egress/egress-policy.ts';
import type { Sandbox, SandboxCommand } from '@errand/sandbox';
import { describeRegistries, type PackageRegistries } from '../../rules/egress/package-registries.ts';
import { listFurnishings } from '@errand/sandbox/furnishings';
import { commandEnvironment } from './command-environment.ts';
import { createCommandEgress } from './command-egress.ts';
import { describeResult, longestTimeoutS, usualTimeoutS } from './command-outcome.ts';
import { logConnectedHost } from './connected-hosts-log.ts';
import type { ToolContext, ToolOutcome } from '../toolbox/tool.ts';

export const timeoutField = z
  .int()
  .min(1)
  .max(longestTimeoutS)
  .default(usualTimeoutS)
  .describe(`Up to ${longestTimeoutS}; default ${usualTimeoutS}.`);

/** Where commands and code run, and what they can reach from there. */
export interface CommandPlace {
  sandbox: Sandbox;
  clock: Clock;
  policy: EgressPolicy;
  /** Reachable whatever the policy says. */
  registries: PackageRegistries;
  log: Log;
}

function describeNetwork({ policy, registries }: CommandPlace): string {
  const installing = describeRegistries(registries);
  if (policy.kind === 'none') return `No root, no network${installing === '' ? '.' : `, but ${installing}`}`;
  const reachable = policy.kind === 'public' ? 'public hosts' : policy.patterns.join(', ');
  return `No root; the only network is a proxy (http_proxy, https_proxy) to ${reachable}. ${installing}`.trim();
}

/** What the model should know about the environment of its commands. */
export function describePlace(place: CommandPlace): string {
  const { programs, missing } = listFurnishings(place.sandbox);
  const has = programs.length === 0 ? '' : `There are ${programs.join(', ')}. `;
  const lacks = missing.length === 0 ? '' : `Not there: ${missing.join(', ')}. `;
  return `${has}${lacks}${describeNetwork(place)}`;
}

/** Runs a command in a sandbox of its own, where nothing outlasts a call, and reports the outcome to the model. */
export async function runInSandbox(
  { sandbox, policy, registries, log }: CommandPlace,
  command: Pick<SandboxCommand, 'command' | 'stdin' | 'env'>,
  timeoutS: number,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { workspace, signal, report, egressGuard } = context;
  const connectedHosts: string[] = [];
  const memory = await context.memory?.mount();
  const egress = createCommandEgress({ policy, registries }, () => egressGuard, connectedHosts, logConnectedHost(log, context));
  const limits = { wallMs: timeoutS * 1000 };
  // A multi-byte character may be split over two chunks.
  const decoder = new StringDecoder('utf8');
  const onOutput = (chunk: Buffer) => report(decoder.write(chunk));
  const env = { ...commandEnvironment(registries), ...command.env };
  const wanted = {
    ...command,
    env,
    ...(egress && { egress }),
    workspace,
    signal,
    limits,
    ...(memory !== undefined && { memory }),
  };
  const result = await sandbox.run({ ...wanted, mergesOutput: true, onOutput });
  return {
    ...describeResult(result, timeoutS, workspace.quota?.text),
    ...(connectedHosts.length > 0 && { taints: ['untrusted' as const] }),
  };
}
