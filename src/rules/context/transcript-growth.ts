import type { TranscriptEntry } from './transcript.ts';

/**
 * Whether a conversation is an earlier one with nothing or more at its end, so that what was computed of the earlier one still holds.
 * Entries never change; whatever rewrites a conversation replaces them, so it is enough to compare identities.
 */
export function hasGrown(before: readonly TranscriptEntry[], now: readonly TranscriptEntry[]): boolean {
  if (before.length > now.length) return false;
  for (let at = 0; at < before.length; at += 1) if (before[at] !== now[at]) return false;
  return true;
}
