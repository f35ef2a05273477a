/** How much a model thinks before it answers; `none`: not at all, where it can do without. */
export const modelEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ModelEffort = (typeof modelEfforts)[number];

/** What an operator sets for the models of one profile; what is absent keeps its default. */
export interface ModelTuning {
  effort?: ModelEffort;
  /** Whether they accept images: one value for all of them, or one for each. */
  sees?: readonly boolean[];
  /** Silence before the first byte of a reply, and after it, that counts as an outage. */
  firstByteMs?: number;
  idleMs?: number;
  /** Tokens of prompt and reply together. */
  window?: number;
  /** How long an outage or overload is waited out. */
  patienceMs?: number;
}

/** The names in a setting that lists models: the first is used, the others replace it while it is away. */
export function splitModelNames(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}
