/** One file or folder of a workspace. */
export interface WorkspaceEntry {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  kind: 'file' | 'folder';
  bytes: number;
}

export interface ListOptions {
  /** How many levels are opened; 1 shows the folder's own entries only. Default: all. */
  depth?: number;
  /** Names of folders that are listed but not opened. */
  closed?: readonly string[];
}

/** A file that is held open. Dispose of it. */
export interface HeldFile extends AsyncDisposable {
  readonly descriptor: number;
  readonly bytes: number;
}

/**
 * One task's own folder, and the only access to it for code in this process. Paths come from a model and are hostile: each is
 * relative to the folder and can never name anything outside it, not even through a symbolic link made by tool code.
 * Whatever is wrong with a path is a Fault whose message can be shown to the model.
 */
export interface Workspace {
  /** The folder on this machine, for tools that hand it to a sandbox. It comes into being with the first write. */
  readonly root: string;
  /** A whole file; `payload_too_large` past `limitBytes` (default and maximum: the workspace's own limit). */
  read(path: string, limitBytes?: number): Promise<Buffer>;
  /** The same piece by piece, for files that are not to be held in memory. The file is opened with the first piece. */
  stream(path: string, limitBytes: number): AsyncIterable<Uint8Array>;
  /** The first bytes of a file of any size, fewer where it is shorter. */
  readStart(path: string, bytes: number): Promise<Buffer>;
  /** A file held open for reading, for what is too large to be read as a whole. */
  hold(path: string): Promise<HeldFile>;
  /** Creates missing parents and replaces the file as a whole or not at all. It is on the disk when this resolves. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Removes a file, or a folder with all that is in it; nothing happens where there is none. */
  remove(path: string): Promise<void>;
  /**
   * The same for what is too large to be held in memory: as much as comes, up to `limitBytes`, which may be more than the
   * workspace's own limit.
   */
  receive(path: string, content: AsyncIterable<Uint8Array>, limitBytes: number): Promise<void>;
  /**
   * Everything below `path`, a folder before what it contains and names in code point order, at most `limit` entries.
   * Links are neither followed nor listed, nor is what the path rule could not name.
   */
  list(path: string, limit: number, options?: ListOptions): Promise<WorkspaceEntry[]>;
}
