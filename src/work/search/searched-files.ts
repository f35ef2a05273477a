import { BlobMissing } from '../../store/blobs/blob-store.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import { longestText } from '../../rules/search/searched-task.ts';

/** A character of UTF-8 has four bytes at most. */
const mostBytes = longestText * 4;
const textTypes = /^(?:text\/|application\/(?:json|xml|yaml|manifest\+json)(?:;|$))/;
/** The marks of HTML say nothing that anybody looks for. */
const tags = /<[^<>]*>/g;

/** Whether a file has text to search. */
export function isTextFile({ contentType }: StoredFile): boolean {
  return textTypes.test(contentType);
}

async function readStart(blobs: Blobs, accountId: string, { blobId, bytes }: StoredFile): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  for await (const piece of await blobs.open(accountId, blobId, { start: 0, end: Math.min(bytes, mostBytes) - 1 })) {
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

/** The beginning of a text file as it is searched; empty if it is gone or has other bytes than text. */
export async function readSearchedFile(blobs: Blobs, accountId: string, file: StoredFile): Promise<string> {
  try {
    const text = (await readStart(blobs, accountId, file)).toString('utf8').slice(0, longestText).toWellFormed();
    if (text.includes('\0')) return '';
    return file.contentType.startsWith('text/html') ? text.replaceAll(tags, ' ') : text;
  } catch (error) {
    if (error instanceof BlobMissing) return '';
    throw error;
  }
}
