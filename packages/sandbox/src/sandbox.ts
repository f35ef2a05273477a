import type { Writable } from 'node:stream';
import type { Egress } from './egress/egress.ts';
import type { Workspace } from './workspace/workspace.ts';

export type { Connection, Egress } from './egress/egress.ts';
export { proxyAddress } from './egress/egress-forwarder.ts';

/** Where a command finds its library. */
export const libraryMount = '/opt/library';

/** Where a command finds what the setup script of its project has made; while the script runs, its own folder. */
export const layerMount = '/opt/project';

/** Where a command finds the fonts of the service. */
export const fontsMount = '/opt/fonts';

/** The limits of one command; exceeding one ends it from outside. */
export interface SandboxLimits {
  wallMs: number;
  /** CPU time per process. */
  cpuS: number;
  /** Total of all processes; a single one cannot allocate more than this. */
  memoryBytes: number;
  /** Threads count too. */
  processes: number;
  /** Maximum file size. */
  fileBytes: number;
  /** Standard output and standard error together. */
  outputBytes: number;
  /** Maximum size of the workspace, and its number of files and folders. */
  workspaceBytes: number;
  workspaceEntries: number;
}

const mebibyte = 1024 * 1024;

/** How much a command can have in /memory at a time; what is kept of it is less. */
export const memoryFolderLimits = { bytes: 16 * 1024 * 1024, entries: 4000 };

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

/** Niceness of commands from their start (`first`), and once they have used too much processor time (`later`). The service itself has 0. */
export const commandNice = { first: 5, later: 19 } as const;

export type CodeLanguage = 'python' | 'javascript';

export interface SandboxCommand {
  /** The one host folder that the command can see and change, as `workspaceAt`; created if missing. */
  workspace: Pick<Workspace, 'root' | 'quota'>;
  /** Default: /workspace. */
  workspaceAt?: typeof layerMount;
  /** A program with its arguments, or a shell command line. */
  command: readonly string[] | string;
  /** Default: empty. */
  stdin?: string | Uint8Array;
  /** Added to the few default variables. */
  env?: Readonly<Record<string, string>>;
  limits?: Partial<SandboxLimits>;
  /** A folder of the service that the command sees read-only at /opt/library. */
  library?: string;
  /** Names of pipes that are made in its library first, for the user of the sandbox. */
  pipes?: readonly string[];
  /** A folder made by a setup script, which the command sees read-only at `layerMount`. */
  layer?: string;
  /** A folder of the service with fonts, which the command sees read-only at `fontsMount`. */
  fonts?: string;
  /** A folder of the service that it sees and can change as /memory. It holds little: a command that fills it is ended. */
  memory?: string;
  /** Gives the command a proxy to reach hosts; without it there is no network. */
  egress?: Egress;
  /**
   * Interactive use instead of `stdin`: `begin` receives standard input, which stays open, and `receive` each chunk of standard output,
   * which is neither kept nor counted. The first `outputBytes` of standard error are kept.
   */
  talk?: { begin(input: Writable): void; receive(chunk: Buffer): void };
  /**
   * Whether it is a script that only starts the processes that do the work: it keeps its priority when these have used too much processor
   * time, and its standard output and standard error are no pipes.
   */
  isPersistent?: boolean;
  /** Merges standard error into standard output, in the order of writing. */
  mergesOutput?: boolean;
  /** Ends the command and everything that it started. */
  signal: AbortSignal;
  /** Receives the output as it arrives. */
  onOutput?(chunk: Buffer): void;
}

/** Why a command ended: normally, or because it exceeded a limit. */
export type SandboxEnd = 'exit' | 'time' | 'memory' | 'disk' | 'output';

export interface SandboxResult {
  end: SandboxEnd;
  /** Exit code by shell convention: 128 + n if signal n ended the command. Null if a limit ended it. */
  exitCode: number | null;
  stdout: Buffer;
  stderr: Buffer;
}

/** Where tool code runs: no network, no secrets, nothing of the machine but system programs and one workspace. */
export interface Sandbox {
  /** The languages that work in it on this machine. */
  readonly languages: readonly CodeLanguage[];
  /** Programs available to tools on this machine, such as `espeak-ng`. */
  readonly programs: readonly string[];
  /** Python modules available to code on this machine, by the names under which they are imported. */
  readonly modules: readonly string[];
  /**
   * Runs one command. When this settles, all its processes are gone, including background ones. Rejects with the signal's reason if that is
   * aborted, with `unavailable` if no command can be started now.
   */
  run(command: SandboxCommand): Promise<SandboxResult>;
  /** Releases resources kept between commands. None may be running. */
  close(): Promise<void>;
}

/**
 * What enforces the memory limit of a sandbox: the kernel, through a cgroup in `folder`, or the service, which measures the processes.
 */
export type MemoryLimit = { by: 'kernel'; folder: string } | { by: 'service'; reason: string };

/** Describes the memory limit for people, on one line. */
export function describeMemoryLimit(limit: MemoryLimit): string {
  if (limit.by === 'kernel') return `the kernel limits the memory of each sandbox (cgroups in ${limit.folder})`;
  return `the service measures the memory of each sandbox, because ${limit.reason}`;
}

/** The sandbox, or why this machine has none. */
export type SandboxAvailability = { sandbox: Sandbox; memoryLimit: MemoryLimit } | { sandbox: null; reason: string };
