/** The model that a task uses instead of its profile's first one. */
export interface ModelInUse {
  name: string;
  /** When the task switched to the model. */
  sinceMs: number;
}

/** How long a fallback model stays in use before the first is tried again; changing sooner would only cost the provider's prompt cache. */
const stayMs = 10 * 60_000;

/** The position of the model to call, in a list that starts with the profile's first. */
export function chooseModelAt(
  names: readonly string[],
  { inUse, isFailing, nowMs }: { inUse: ModelInUse | null; isFailing: boolean; nowMs: number },
): number {
  const at = inUse === null ? 0 : names.indexOf(inUse.name);
  if (inUse === null || at <= 0) return 0;
  // While a step is failing, the log alone says whose turn it is.
  return !isFailing && nowMs - inUse.sinceMs > stayMs ? 0 : at;
}

/** Where to go on after a failed call: the position of the next model, and whether all models have failed since the last pause. */
export function rotateModels(count: number, at: number, attempt: number): { next: number; isRoundOver: boolean; round: number } {
  return { next: (at + 1) % count, isRoundOver: attempt % count === 0, round: Math.ceil(attempt / count) };
}
