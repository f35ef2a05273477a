import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import type { Config, Environment } from '../config/config.ts';

export type Output = Writable & { isTTY?: boolean };

/** What `main` gives: the process as commands may see it. */
export interface Host {
  env: Environment;
  clock: Clock;
  stdin: Readable;
  stdout: Output;
  stderr: Output;
  nodeVersion: string;
  /** Aborted by the first interrupt (Ctrl-C, SIGTERM). */
  signal: AbortSignal;
}

/** What a command runs with. */
export interface Shell extends Omit<Host, 'env'> {
  config: Config;
}
