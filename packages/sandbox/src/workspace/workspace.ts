/** One file or folder of a workspace. */
export interface WorkspaceEntry {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  kind: 'file' | 'folder';
  bytes: number;
}

export interface ListOptions {
  /** How many levels are opened; 1 lists only the folder's own entries. Default: all. */
  depth?: number;
  /** Names of folders that are listed but not opened. */
  closed?: readonly string[];
}

/** A file that is held open. Dispose of it. */
export interface HeldFile extends AsyncDisposable {
  readonly descriptor: number;
  readonly bytes: number;
}

/** Bounds the size of a workspace, beside the limits of a single command. */
export interface WorkspaceQuota {
  readonly limit: { bytes: number; entries: number };
  /** What the quota is, in words for a model. */
  readonly text: string;
  /** Called before a sandbox opens, which is then held to the quota until it is disposed of. */
  hold(): Promise<Disposable>;
  /** Called before a command runs in an open sandbox. */
  prepare(): Promise<void>;
  /** Called whenever the workspace of an open sandbox was measured; if false, the sandbox is ended. */
  allows(use: { bytes: number; entries: number }): boolean;
  /** Called when a command has ended and the workspace was measured after it. */
  finish(): Promise<void>;
  /** Called before the service itself writes. Rejects with a Fault if there is no room. */
  claim(bytes: number, entries: number): Promise<void>;
  /** Rejects like `claim` if so much could not be written now; nothing is set aside. */
  check(bytes: number, entries: number): Promise<void>;
}

/**
 * A task's folder, and the only access to it for code in this process. Paths come from a model and are hostile: each is relative to the
 * folder and can never name anything outside it, not even through a symbolic link made by tool code. Anything wrong with a path is a Fault
 * whose message can be shown to the model.
 */
export interface Workspace {
  /** The folder on this machine, for tools that mount it in a sandbox. It is created with the first write. */
  readonly root: string;
  /** Quota of the workspace; without one, only the limits of single commands and files apply. */
  readonly quota?: WorkspaceQuota;
  /** A whole file; `payload_too_large` beyond `limitBytes` (default and maximum: the workspace's own limit). */
  read(path: string, limitBytes?: number): Promise<Buffer>;
  /**
   * Reads a file in chunks, for files too large to hold in memory; `payload_too_large` beyond `limitBytes`. It is opened with the first
   * chunk.
   */
  stream(path: string, limitBytes: number): AsyncIterable<Uint8Array>;
  /** The first bytes of a file of any size, fewer if it is shorter. */
  readStart(path: string, bytes: number): Promise<Buffer>;
  /** A file held open for reading, for what is too large to read as a whole. */
  hold(path: string): Promise<HeldFile>;
  /** Creates missing parents and replaces the file completely or not at all. Durable when this resolves. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Removes a file, or a folder with its content; does nothing if there is none. */
  remove(path: string): Promise<void>;
  /** Writes a file like `write`, from data too large to hold in memory. `limitBytes` may exceed the workspace's own limit. */
  receive(path: string, content: AsyncIterable<Uint8Array>, limitBytes: number): Promise<void>;
  /**
   * Everything below `path`, folders before their content and names in code point order, at most `limit` entries. Links are neither
   * followed nor listed, nor are names that the path rule rejects.
   */
  list(path: string, limit: number, options?: ListOptions): Promise<WorkspaceEntry[]>;
}
