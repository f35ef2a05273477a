import { defaultLimits, layerMount, type SandboxResult } from '@errand/sandbox';
import type { Workspace } from '@errand/sandbox/workspace';
import { listRegistryPlaces } from '../../rules/egress/package-registries.ts';
import { createCommandEgress } from './command-egress.ts';
import { layerModules, setupEnvironment } from './command-environment.ts';
import { addEnding, describeExit, explainEnd } from './command-outcome.ts';
import type { CommandParts } from './command-parts.ts';
import { logConnectedHost } from './connected-hosts-log.ts';

/** How long a setup script may run. */
const longestSetupS = 600;

/** Limits of a script's files, which are stored as a whole and mounted in many sandboxes. */
const setupLimits = { bytes: 1024 * 1024 * 1024, entries: 100_000 };

/** The end of the output is what tells why something failed. */
const shownCharacters = 4000;

/** Ends at the first command that fails. Then finds where pip has installed, which depends on the version of Python. */
const wrapper = `bash --norc -e -c "$1" setup </dev/null
code=$?
modules=$(python3 -m site --user-site 2>/dev/null) && [ -d "$modules" ] && ln -sfn "$modules" ${layerModules}
exit $code`;

export interface SetupWork {
  /** Receives what the script makes. */
  folder: Pick<Workspace, 'root' | 'quota'>;
  script: string;
  accountId: string;
  projectId: string;
  signal: AbortSignal;
}

export interface SetupOutcome {
  hasSucceeded: boolean;
  /** The last of what it wrote, and how it ended. */
  output: string;
  /** Whether the script has read from hosts that the operator has not named. */
  isUntrusted: boolean;
}

function describeEnd({ end, exitCode, stdout }: SandboxResult, quota: string | undefined): string {
  const text = stdout.toString().toWellFormed().replaceAll('\0', '\ufffd');
  const { bytes, entries } = setupLimits;
  const tooLarge = quota ?? `its files would take more than ${bytes / 1024 / 1024} MB, or be more than ${entries}`;
  if (end === 'exit') return addEnding(text, describeExit(exitCode ?? 0));
  if (end === 'time') return addEnding(text, `ended after ${longestSetupS} seconds`);
  return addEnding(text, explainEnd(end, longestSetupS, tooLarge));
}

/** Runs a setup script in a sandbox of its own, with the network that commands have. Rejects like `Sandbox.run`. */
export async function runSetup(parts: CommandParts, work: SetupWork): Promise<SetupOutcome> {
  const { folder, script, accountId, projectId, signal } = work;
  const connectedHosts: string[] = [];
  // It has seen nothing that would have to stay here.
  const guard = { refuseHost: () => null, refuseFromCommand: () => null, refuseAddress: () => null };
  const note = logConnectedHost(parts.log, { account_id: accountId, project_id: projectId });
  const egress = createCommandEgress(parts, () => guard, connectedHosts, note);
  const result = await parts.sandbox.run({
    workspace: folder,
    workspaceAt: layerMount,
    command: ['bash', '--norc', '-c', wrapper, 'setup', script],
    env: setupEnvironment(parts.registries),
    limits: {
      wallMs: longestSetupS * 1000,
      cpuS: defaultLimits.cpuS,
      workspaceBytes: Math.min(setupLimits.bytes, folder.quota?.limit.bytes ?? setupLimits.bytes),
      workspaceEntries: Math.min(setupLimits.entries, folder.quota?.limit.entries ?? setupLimits.entries),
    },
    mergesOutput: true,
    ...(egress && { egress }),
    signal,
  });
  const named = new Set(listRegistryPlaces(parts.registries).map((host) => host.replace(/:\d+$/, '')));
  return {
    hasSucceeded: result.end === 'exit' && result.exitCode === 0,
    output: describeEnd(result, folder.quota?.text).slice(-shownCharacters).toWellFormed(),
    isUntrusted: connectedHosts.some((host) => !named.has(host)),
  };
}
