import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@errand/base/clock.ts';
import type { Config, Environment } from '../config/config.ts';

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean };

/** A child process of the service, as its supervisor sees it. */
export interface ChildService {
  /** What it reports when it is ready; pending forever if it never is. */
  readonly reported: Promise<object>;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** Asks it to finish what it does and to end. */
  stop(): void;
}

/** The processes of one service on one machine. */
export interface Processes {
  /** Tells the supervisor that this process is ready; null in a process that has none. */
  reportReady: ((line: object) => void) | null;
  /** Whether the system lets several processes listen on one port. */
  canSharePorts: boolean;
  /** Starts this program once more, with the same command line and a supervisor; `settings` replace those of this process. */
  start(settings: Readonly<Record<string, string>>): ChildService;
}

/** The process as commands see it; `main` provides it. */
export interface Host {
  env: Environment;
  clock: Clock;
  stdin: Readable;
  stdout: Output;
  stderr: Output;
  nodeVersion: string;
  /** How this process starts others of the same service, and belongs to them; absent where there can be only one. */
  processes?: Processes;
  /** Aborts at the first interrupt (Ctrl-C, SIGTERM). */
  signal: AbortSignal;
}

/** What a command runs in. */
export interface Shell extends Omit<Host, 'env'> {
  config: Config;
}
