/** Decides what the task may connect to, given what it has seen: null, or the reason for a refusal in words for a model. */
export interface EgressGuard {
  refuseHost(host: string): string | null;
  /** The same for a command, which may have read every file by then and, after it has connected to a host, what came from there. */
  refuseFromCommand(host: string, hasConnected: boolean): string | null;
  /** The same for a whole URL; one that appeared in a page or search result may always be read. */
  refuseAddress(url: string): string | null;
}
