import type { HostPort } from '../../rules/egress/trust.ts';

/** Decides what the task may connect to, given what it has seen: null, or the reason for a refusal in words for a model. */
export interface EgressGuard {
  refuseHost(place: HostPort): string | null;
  /** Checks a connection of a command, which may have read every file by then and, once it has connected to a host, anything from there. */
  refuseFromCommand(place: HostPort, hasConnected: boolean): string | null;
  /** Checks a whole URL. One that appeared in a page or search result may always be read. */
  refuseAddress(url: string): string | null;
}
