import type { Workspace } from '@errand/sandbox/workspace';
import { findKind } from '../text/file-kind.ts';
import type { ArchiveAnswer, ArchiveQuestion, LeftOut } from './archive-question.ts';

const maxShown = 50;

/** Whether a file is an archive, by its first bytes; null for anything else. */
export async function findFormat(workspace: Workspace, path: string): Promise<ArchiveQuestion['format'] | null> {
  return archiveFormatOf(await workspace.readStart(path, 512));
}

export function archiveFormatOf(start: Uint8Array): ArchiveQuestion['format'] | null {
  const kind = findKind(start);
  if (kind === 'package') return 'zip';
  return kind === 'tar' || kind === 'gzip' ? kind : null;
}

function quote(name: string): string {
  const shown = name.length > 120 ? `${name.slice(0, 120)}…` : name;
  return JSON.stringify(shown.toWellFormed());
}

/** Lines about entries that are not or would not be unpacked. */
export function describeLeftOut(leftOut: readonly LeftOut[]): string[] {
  if (leftOut.length === 0) return [];
  const more = leftOut.length > maxShown ? [`- and ${leftOut.length - maxShown} more`] : [];
  return [
    `Left out, ${leftOut.length}:`,
    ...leftOut.slice(0, maxShown).map(({ name, refusal }) => `- ${quote(name)}: ${refusal}`),
    ...more,
  ];
}

/** A line for each entry, and those that would be skipped. */
export function describeArchive({ entries, leftOut }: ArchiveAnswer): string {
  const lines = entries.map(({ name, kind, bytes }) => (kind === 'folder' ? quote(name) : `${quote(name)} ${bytes} bytes`));
  return [...lines, ...describeLeftOut(leftOut)].join('\n');
}
