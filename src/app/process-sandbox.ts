import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { describeMemoryLimit, type SandboxAvailability } from '@errand/sandbox';
import type { Config } from '../config/config.ts';

/** The sandbox of one process. */
export interface ProcessSandbox {
  /** Tests it on the first call; later calls return the same result. */
  open(): Promise<SandboxAvailability>;
  close(): Promise<void>;
}

/** Tests nothing before the first use. */
export function createProcessSandbox({ outboundAllow: allow }: Config, clock: Clock, log: Log): ProcessSandbox {
  let opened: Promise<SandboxAvailability> | null = null;
  async function open(): Promise<SandboxAvailability> {
    const availability = await openSandbox({ clock, log, connect: createSafeConnect({ allow, clock }) });
    if (availability.sandbox) {
      const { memoryLimit } = availability;
      log.info({ memory_limit: memoryLimit.by }, `sandbox: ${describeMemoryLimit(memoryLimit)}`);
    }
    return availability;
  }
  return {
    open: () => (opened ??= open()),
    async close() {
      await (await opened)?.sandbox?.close();
    },
  };
}
