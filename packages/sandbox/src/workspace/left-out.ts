import type { Dirent } from 'node:fs';
import { temporaryPrefix } from './workspace-list.ts';

/** The last entry of an incomplete archive. Tool code has no files of this name: they count as half-written ones of the service. */
export const leftOutName = `${temporaryPrefix}left-out.json`;

/** Why an entry of a workspace is not in a copy of it. */
const leftOutReasons = [
  'changed',
  'special',
  'too_deep',
  'too_large',
  'too_many',
  'unreadable',
  'unusable_name',
  'vanished',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** The entries of a workspace that a copy of it lacks: how many, and the first of them by name. */
export interface LeftOut {
  count: number;
  files: { path: string; reason: LeftOutReason }[];
}

/** More are only counted. */
const maxNamed = 50;
/** Longer paths are shortened. */
const maxShown = 300;

/** Adds an entry that could not be copied. */
export function addLeftOut(leftOut: LeftOut, path: string, reason: LeftOutReason): void {
  leftOut.count += 1;
  if (leftOut.files.length >= maxNamed) return;
  const shown = path.length > maxShown ? `${path.slice(0, maxShown)}…` : path;
  leftOut.files.push({ path: shown.toWellFormed(), reason });
}

/** The name as text, and whether that is all of it: names need not be UTF-8. */
export function readName({ name: bytes }: Dirent<Buffer>): { name: string; isExact: boolean } {
  const name = bytes.toString('utf8');
  return { name, isExact: bytes.equals(Buffer.from(name)) };
}

export function writeLeftOut(leftOut: LeftOut): string {
  return JSON.stringify(leftOut);
}

function isFile(value: unknown): value is LeftOut['files'][number] {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('reason' in value)) return false;
  return typeof value.path === 'string' && leftOutReasons.some((reason) => reason === value.reason);
}

/** What `writeLeftOut` wrote; only the count of what a later version may have written otherwise. */
export function readLeftOut(text: string): LeftOut {
  const { count, files } = JSON.parse(text) as { count?: unknown; files?: unknown };
  return {
    count: typeof count === 'number' ? count : 0,
    files: Array.isArray(files) ? files.filter(isFile).slice(0, maxNamed) : [],
  };
}
