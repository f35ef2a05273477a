import type { HostPort } from '../../rules/egress/trust.ts';

/** Decides what the task may connect to, given what it has seen: null, or the reason for a refusal in words for a model. */
export interface EgressGuard {
  refuseHost(place: HostPort): string | null;
  /** The same for a command, which may have read every file by then and, after it has connected to a host, what came from there. */
  refuseFromCommand(place: HostPort, hasConnected: boolean): string | null;
  /** The same for a whole URL; one that appeared in a page or search result may always be read. */
  refuseAddress(url: string): string | null;
}
