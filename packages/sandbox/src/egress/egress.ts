import type { Socket } from 'node:net';

/** A connection that is open. */
export type Connection = Socket;

/** How much may pass through the proxy of one sandbox. */
export interface EgressLimits {
  /** Over all connections, in both directions. */
  bytes: number;
  connections: number;
  /** Concurrent connections. */
  open: number;
  idleMs: number;
}

/** The network access of one command. */
export interface Egress {
  /**
   * Null if allowed; otherwise why not, in words for the reader of the command's output. Asked again with whatever a tunnel sends, because
   * it may outlast what allowed it.
   */
  refuse(host: string, port: number): string | null;
  /** Called once for each connected host. */
  onConnect(host: string): void;
  /** A connection to something that is not a host of the network; null for all others, which are judged and dialed. */
  openNear?(host: string, port: number): Promise<Connection> | null;
  /** Limits that differ from the default. */
  limits?: Partial<EgressLimits>;
  /** Called when the limits are used up. */
  onSpent?(): void;
}
