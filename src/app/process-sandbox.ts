import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import type { Sandbox, SandboxAvailability } from '@errand/sandbox';
import type { Config } from '../config/config.ts';

/** The sandbox of one process. */
export interface ProcessSandbox {
  /** Tests it on the first call; later calls return the same result. */
  open(): Promise<SandboxAvailability>;
  close(): Promise<void>;
}

/** A sandbox that also counts its running commands. */
function meterSandbox(availability: SandboxAvailability, metrics: Metrics): SandboxAvailability {
  const { sandbox } = availability;
  if (sandbox === null) return availability;
  let running = 0;
  metrics.addGauge('errand_sandboxes_running', 'Sandboxes of commands that run in this process.', () => running);
  const run: Sandbox['run'] = async (command) => {
    running += 1;
    try {
      return await sandbox.run(command);
    } finally {
      running -= 1;
    }
  };
  return { ...availability, sandbox: { ...sandbox, run } };
}

export interface ProcessSandboxParts {
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** The sandbox of this process, which is tested with its first use. */
export function createProcessSandbox({ config, clock, log, metrics }: ProcessSandboxParts): ProcessSandbox {
  const { outboundAllow: allow } = config;
  let opened: Promise<SandboxAvailability> | null = null;
  const open = async () => meterSandbox(await openSandbox({ clock, log, connect: createSafeConnect({ allow, clock }) }), metrics);
  return {
    open: () => (opened ??= open()),
    async close() {
      await (await opened)?.sandbox?.close();
    },
  };
}
