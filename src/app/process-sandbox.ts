import type { Clock } from '@errand/base/clock.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import type { SandboxAvailability } from '@errand/sandbox';
import type { Config } from '../config/config.ts';

/** The sandbox of one process. */
export interface ProcessSandbox {
  /** Tries it at the first call; for every later one the answer is the same. */
  open(): Promise<SandboxAvailability>;
  close(): Promise<void>;
}

/** Checks nothing before the first use. */
export function createProcessSandbox({ outboundAllow: allow }: Config, clock: Clock): ProcessSandbox {
  let opened: Promise<SandboxAvailability> | null = null;
  return {
    open: () => (opened ??= openSandbox({ clock, connect: createSafeConnect({ allow, clock }) })),
    async close() {
      await (await opened)?.sandbox?.close();
    },
  };
}
