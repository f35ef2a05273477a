import type { TranscriptEntry } from './transcript.ts';

/**
 * Whether a conversation is an earlier one with nothing or more at its end, so that what was computed of the earlier one still holds.
 * Entries never change; whatever rewrites a conversation replaces them, so it is enough to compare identities.
 */
export function hasGrown(before: readonly TranscriptEntry[], now: readonly TranscriptEntry[]): boolean {
  return before.length <= now.length && before.every((entry, at) => entry === now[at]);
}
