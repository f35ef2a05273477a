import { getuid } from 'node:process';

export interface SandboxUser {
  uid: number;
  gid: number;
}

/** User id outside the ranges of distributions, systemd, and containers, so that nothing else on a machine belongs to it. */
const unprivileged: SandboxUser = { uid: 61_100, gid: 61_100 };

/**
 * The user that runs tool code and owns the files of workspaces; null if that is the user of the service. A service running as root drops
 * privileges for it: outside its namespaces the code would otherwise still be root, exempt from file permissions and process limits.
 */
export const sandboxUser: SandboxUser | null = getuid?.() === 0 ? unprivileged : null;
