import type { TranscriptEntry } from './transcript.ts';

/**
 * Whether a conversation equals an earlier one, possibly with more at its end, so that results computed from the earlier one still apply.
 * Entries never change; whatever rewrites a conversation replaces them, so comparing identities is enough.
 */
export function hasGrown(before: readonly TranscriptEntry[], now: readonly TranscriptEntry[]): boolean {
  if (before.length > now.length) return false;
  for (let at = 0; at < before.length; at += 1) if (before[at] !== now[at]) return false;
  return true;
}
