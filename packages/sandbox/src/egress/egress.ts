/** The network access of one command. */
export interface Egress {
  /** Null when it may; otherwise why not, in words for the reader of the command's output. */
  refuse(host: string, port: number): string | null;
  /** Called once for each host that a connection was made to. */
  onConnect(host: string): void;
}
