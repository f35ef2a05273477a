/** A generated file, to be written by the caller. */
export interface MadeFile {
  path: string;
  bytes: Uint8Array;
}

export interface GeneratorOutcome {
  files: MadeFile[];
  /** Notes for the model: what was left out or changed. */
  notes: string[];
}

/** Reports progress to people, one line each. */
export type ReportProgress = (line: string) => void;

/** Files of the task's workspace, read on demand. */
export type ReadFile = (path: string) => Promise<Uint8Array>;
