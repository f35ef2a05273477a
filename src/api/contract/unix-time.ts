import { z } from 'zod';

/** A point in time in an answer. */
export const unixTime = z.int().meta({ description: 'Unix time in seconds.' });

/** Unix time in seconds of a point in time in milliseconds. */
export function toUnixTime(ms: number): number {
  return Math.floor(ms / 1000);
}
