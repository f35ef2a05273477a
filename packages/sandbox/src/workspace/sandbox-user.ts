import { getuid } from 'node:process';

export interface SandboxUser {
  uid: number;
  gid: number;
}

/** Outside of what distributions, systemd and containers give out, so that nothing else on a machine belongs to it. */
const unprivileged: SandboxUser = { uid: 61_100, gid: 61_100 };

/**
 * Whom tool code runs as, and whom the files of workspaces belong to; null where that is the user of the service. A service
 * that is root steps down for it: outside of its namespaces the code would otherwise still be root, for which neither file
 * permissions nor process limits count.
 */
export const sandboxUser: SandboxUser | null = getuid?.() === 0 ? unprivileged : null;
