/** A file that a generator made, to be written where the caller wants it. */
export interface MadeFile {
  path: string;
  bytes: Uint8Array;
}

export interface GeneratorOutcome {
  files: MadeFile[];
  /** What the model has to know: what was left out or done otherwise. */
  notes: string[];
}

/** Tells people how far the work has come, a line each. */
export type ReportProgress = (line: string) => void;

/** Files of the task's workspace, read as they are needed. */
export type ReadFile = (path: string) => Promise<Uint8Array>;
