/** The scopes of memory: all tasks of the account, of one project, or of one agent read and write it. */
export const memoryScopes = ['account', 'project', 'agent'] as const;
export type MemoryScope = (typeof memoryScopes)[number];

/** One store of an account. */
export interface MemoryPlace {
  scope: MemoryScope;
  /** Id of the project or agent; empty for the account. */
  scopeId: string;
}

/** Limits of what a store holds. */
export const memoryLimits = {
  fileBytes: 64 * 1024,
  storeFiles: 256,
  storeBytes: 1024 * 1024,
  /** Former versions; the oldest go first. */
  historyBytes: 4 * 1024 * 1024,
  historyOfFile: 100,
  /** Files of all stores of an account. */
  accountBytes: 64 * 1024 * 1024,
} as const;
