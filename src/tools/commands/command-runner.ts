import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import type { Log } from '@errand/base/log.ts';
import { type EgressPolicy, refuseByPolicy } from '../../rules/egress/egress-policy.ts';
import {
  defaultLimits,
  type Egress,
  type Sandbox,
  type SandboxCommand,
  type SandboxEnd,
  type SandboxResult,
} from '@errand/sandbox';
import { describeRegistries, listRegistryPlaces, type PackageRegistries } from '../../rules/egress/package-registries.ts';
import { listFurnishings } from '@errand/sandbox/furnishings';
import { commandEnvironment } from './command-environment.ts';
import { logConnectedHost } from './connected-hosts-log.ts';
import type { ToolContext, ToolOutcome } from '../toolbox/tool.ts';

const longestTimeoutS = 600;
const usualTimeoutS = defaultLimits.wallMs / 1000;

export const timeoutField = z
  .int()
  .min(1)
  .max(longestTimeoutS)
  .default(usualTimeoutS)
  .describe(`Default ${usualTimeoutS}, up to ${longestTimeoutS}.`);

/** Where commands and code run, and what they can reach from there. */
export interface CommandPlace {
  sandbox: Sandbox;
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

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** Why it was terminated, and what to do about it. */
function explainEnd(end: Exclude<SandboxEnd, 'exit'>, timeoutS: number, quota: string | undefined): string {
  const { memoryBytes, workspaceBytes, workspaceEntries, outputBytes } = defaultLimits;
  switch (end) {
    case 'time':
      return `ended after ${timeoutS} seconds; give a longer timeout_seconds (up to ${longestTimeoutS}) or do it in smaller steps`;
    case 'memory':
      return `ended because it took more than ${mebibytes(memoryBytes)} of memory; work on smaller parts`;
    case 'disk':
      return `ended because ${quota ?? `the workspace would hold more than ${mebibytes(workspaceBytes)} or ${workspaceEntries} files`}; remove what is not needed`;
    case 'output':
      return `ended because it wrote more than ${mebibytes(outputBytes)}; write to a file instead`;
  }
}

/** Shells report termination by a signal as 128 plus its number. */
function describeExit(code: number): string {
  return code > 128 && code < 160 ? `exit code ${code}, ended by signal ${code - 128}` : `exit code ${code}`;
}

function describeResult({ end, exitCode, stdout }: SandboxResult, timeoutS: number, quota: string | undefined): ToolOutcome {
  const ending = end === 'exit' ? describeExit(exitCode ?? 0) : explainEnd(end, timeoutS, quota);
  const text = stdout.toString();
  const output = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${ending}]`;
  return { status: exitCode === 0 ? 'success' : 'error', output };
}

function isFirst(connectedHosts: readonly string[], host: string): boolean {
  return connectedHosts.every((one) => one === host);
}

/** Runs a command in the task's workspace and reports the outcome to the model. */
export async function runInSandbox(
  { sandbox, policy, registries, log }: CommandPlace,
  command: Pick<SandboxCommand, 'command' | 'stdin' | 'env'>,
  timeoutS: number,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { workspace, signal, report, egressGuard } = context;
  const places = listRegistryPlaces(registries);
  const hasNetwork = policy.kind !== 'none' || places.length > 0;
  const connectedHosts: string[] = [];
  const note = logConnectedHost(log, context);
  const egress: Egress = {
    // Hosts named by the operator are not new ones.
    refuse: (host, port) =>
      places.includes(`${host}:${port}`)
        ? null
        : (refuseByPolicy(policy, host) ??
          (policy.kind === 'hosts' ? null : egressGuard.refuseFromCommand(host, !isFirst(connectedHosts, host)))),
    onConnect(host) {
      connectedHosts.push(host);
      note(host);
    },
  };
  const memory = await context.memory?.mount();
  const limits = { wallMs: timeoutS * 1000 };
  // A multi-byte character may be split over two chunks.
  const decoder = new StringDecoder('utf8');
  const onOutput = (chunk: Buffer) => report(decoder.write(chunk));
  const env = { ...commandEnvironment(registries), ...command.env };
  const wanted = {
    ...command,
    env,
    ...(hasNetwork && { egress }),
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
