/** Many readers of streams in one process. */
export interface CrowdJob {
  url: string;
  apiKey: string;
  /** Reader `n` follows the task `n % taskIds.length`. */
  taskIds: readonly string[];
  readers: number;
  /** Messages sent to the first task, one after the other, each when every reader has the one before. */
  messages: number;
}

export interface CrowdResult {
  /** Milliseconds from sending a message to its event at a reader; null without messages. */
  p50Ms: number | null;
  p99Ms: number | null;
}
