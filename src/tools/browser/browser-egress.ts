import type { Connection, Egress } from '@errand/sandbox';
import type { EgressGuard } from '../toolbox/tool.ts';
import { isLocalHost } from './browser-place.ts';

const mebibyte = 1024 * 1024;
/** Limits of one browser; a browser that has used them up is replaced. */
const limits = { bytes: 2048 * mebibyte, connections: 10_000 };

export interface BrowserReach {
  /** The guard of the task as it is now. */
  guardOf(): EgressGuard;
  /** Whether the browser has shown or sent files of the workspace. */
  hasReadFiles(): boolean;
  /** A connection to a port of the task's own sandbox for commands. */
  openPort(port: number): Promise<Connection>;
  onConnect(host: string): void;
  onSpent(): void;
}

/** What a browser may connect to; `hosts` receives every connected host. */
export function createBrowserEgress(reach: BrowserReach, hosts: string[]): Egress {
  return {
    limits,
    onSpent: () => reach.onSpent(),
    openNear: (host, port) => (isLocalHost(host) ? reach.openPort(port) : null),
    refuse(host, port) {
      const guard = reach.guardOf();
      if (!reach.hasReadFiles()) return guard.refuseHost({ host, port });
      return guard.refuseFromCommand(
        { host, port },
        hosts.some((one) => one !== host),
      );
    },
    onConnect(host) {
      if (!hosts.includes(host)) hosts.push(host);
      reach.onConnect(host);
    },
  };
}
