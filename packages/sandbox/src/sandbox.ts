import type { Writable } from 'node:stream';
import type { Egress } from './egress/egress.ts';
import type { Workspace } from './workspace/workspace.ts';

export type { Egress } from './egress/egress.ts';
export { proxyAddress } from './egress/egress-forwarder.ts';

/** Where a command sees its library. */
export const libraryMount = '/opt/library';

/** The limits of one command; exceeding one ends it from outside. */
export interface SandboxLimits {
  wallMs: number;
  /** Processor time of each process. */
  cpuS: number;
  /** All processes together; one alone is refused more than this. */
  memoryBytes: number;
  /** Threads count too. */
  processes: number;
  /** The largest file that can be written. */
  fileBytes: number;
  /** Standard output and standard error together. */
  outputBytes: number;
  /** What the workspace may hold in all, and in how many files and folders. */
  workspaceBytes: number;
  workspaceEntries: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: SandboxLimits = {
  wallMs: 120_000,
  cpuS: 600,
  memoryBytes: 1024 * mebibyte,
  processes: 128,
  fileBytes: 1024 * mebibyte,
  outputBytes: 8 * mebibyte,
  workspaceBytes: 2048 * mebibyte,
  workspaceEntries: 200_000,
};

export type CodeLanguage = 'python' | 'javascript';

export interface SandboxCommand {
  /** The one folder of the machine that the command sees and can change, as /workspace; created if missing. */
  workspace: Pick<Workspace, 'root'>;
  /** A program with its arguments, or a line for the shell. */
  command: readonly string[] | string;
  /** Nothing by default. */
  stdin?: string | Uint8Array;
  /** Added to the few variables that every command has. */
  env?: Readonly<Record<string, string>>;
  limits?: Partial<SandboxLimits>;
  /** A folder of the service's own that it sees, and cannot change, as /opt/library. */
  library?: string;
  /** Gives it a proxy to reach hosts through; without one there is no network at all. */
  egress?: Egress;
  /**
   * A conversation in place of `stdin`: `begin` is given standard input, which stays open, and `receive` each piece of standard output,
   * of which nothing is kept or counted. Of standard error the first `outputBytes` are kept.
   */
  talk?: { begin(input: Writable): void; receive(chunk: Buffer): void };
  /** Puts standard error into standard output, in the order of writing. */
  mergesOutput?: boolean;
  /** Ends the command and everything that it started. */
  signal: AbortSignal;
  /** Sees the output while it comes. */
  onOutput?(chunk: Buffer): void;
}

/** Why a command ended: normally, or because it exceeded a limit. */
export type SandboxEnd = 'exit' | 'time' | 'memory' | 'disk' | 'output';

export interface SandboxResult {
  end: SandboxEnd;
  /** As shells have it: 128 + n when the signal n ended the command. Null when a limit did. */
  exitCode: number | null;
  stdout: Buffer;
  stderr: Buffer;
}

/** Where tool code runs: no network, no secrets, nothing of the machine but system programs and one workspace. */
export interface Sandbox {
  /** The languages that can run in it on this machine. */
  readonly languages: readonly CodeLanguage[];
  /** Programs that tools may use and that this machine has, such as `espeak-ng`. */
  readonly programs: readonly string[];
  /**
   * Runs one command. When this settles, every process of it is gone, in the background too. Rejects with the signal's reason
   * once that is aborted, with `unavailable` when no command can be started now.
   */
  run(command: SandboxCommand): Promise<SandboxResult>;
  /** Lets go of what is kept between commands. None may be running. */
  close(): Promise<void>;
}

/** The sandbox, or why this machine has none. */
export type SandboxAvailability = { sandbox: Sandbox } | { sandbox: null; reason: string };
