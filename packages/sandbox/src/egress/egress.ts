/** The network access of one command. */
export interface Egress {
  /** Null if allowed; otherwise why not, in words for the reader of the command's output. */
  refuse(host: string, port: number): string | null;
  /** Called once for each connected host. */
  onConnect(host: string): void;
}
