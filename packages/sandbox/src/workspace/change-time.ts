import type { Header } from 'tar-stream';

/** The last second that a header has room for. */
const latestMs = (8 ** 11 - 1) * 1000;

/** The time of an entry as a header has it: whole seconds for every reader, and microseconds in an extended header for ours. */
export function writeChangeTime(mtimeNs: bigint): Pick<Header, 'mtime' | 'pax'> {
  const mtime = new Date(Math.min(Math.max(0, Number(mtimeNs / 1_000_000n)), latestMs));
  const microseconds = (mtimeNs < 0n ? -mtimeNs : mtimeNs) / 1000n;
  const digits = String(microseconds).padStart(7, '0');
  return { mtime, pax: { mtime: `${mtimeNs < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}` } };
}

/** A time in seconds is off by less than this as a number, and the system cuts what is below its unit. */
const cutSeconds = 3e-7;

/** Seconds since the epoch; null for an entry of an earlier release, which did not keep the time. */
export function readChangeTime({ pax }: Pick<Header, 'pax'>): number | null {
  if (typeof pax !== 'object' || pax === null || !('mtime' in pax) || typeof pax.mtime !== 'string') return null;
  return /^-?\d{1,11}(\.\d{1,9})?$/.test(pax.mtime) ? Number(pax.mtime) + cutSeconds : null;
}
