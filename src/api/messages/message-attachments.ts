import { Readable } from 'node:stream';
import { Fault, invalidField } from '@errand/base/fault.ts';
import type { Attachment } from '../../rules/events/task-event.ts';
import { chooseContentType, fileStatusAt } from '../../rules/files/upload-policy.ts';
import type { FileRecord } from '../../store/files/file-record.ts';
import { getFile } from '../../store/files/files.ts';
import { keyOfFile } from '../files/file-key.ts';
import { fetchPart } from './fetched-part.ts';
import { type FilePart, maxPartBytes } from './message-part.ts';
import type { Context } from '../contract/operation.ts';

/** Timeout for all files of a message, so that the sender gets a response. */
const totalTimeoutMs = 120_000;
/** Files of a message that are processed concurrently. */
const atOnce = 4;

function attach(part: FilePart, filename: string, contentType: string, blob: { blobId: string; bytes: number }): Attachment {
  const kind = part.isVoice ? 'voice' : contentType.startsWith('image/') ? 'image' : 'file';
  return { kind, filename, contentType, blobId: blob.blobId, bytes: blob.bytes };
}

async function findUpload(part: FilePart, fileId: string, context: Context): Promise<FileRecord> {
  const field = `${part.field}.file_id`;
  const nowhere = () => new Fault('not_found', `${field}: file not found`);
  try {
    const file = await context.read(getFile, keyOfFile(fileId, context.principal));
    const status = fileStatusAt(file, context.now);
    if (status === 'deleted') throw nowhere();
    if (file.stored === null) throw invalidField(field, 'the file has not been uploaded');
    return file;
  } catch (error) {
    throw error instanceof Fault && error.code === 'not_found' ? nowhere() : error;
  }
}

async function take(part: FilePart, context: Context, signal: AbortSignal): Promise<Attachment> {
  const { accountId } = context.principal;
  const { blobs } = context.intake;
  const { source } = part;
  if (source.kind === 'id') {
    const { filename: uploadedAs, contentType: known, stored } = await findUpload(part, source.fileId, context);
    const filename = part.filename ?? uploadedAs;
    if (stored === null) throw new Error('a file that was found has its bytes');
    return attach(part, filename, part.contentType ?? known, stored);
  }
  if (source.kind === 'url') {
    const { name, type, stored } = await fetchPart(part, source.url, context, signal);
    return attach(part, name, type, stored);
  }
  const filename = part.filename ?? 'file';
  const contentType = part.contentType ?? chooseContentType(filename, undefined);
  return attach(
    part,
    filename,
    contentType,
    await blobs.put(accountId, Readable.from([source.bytes]), { maxBytes: maxPartBytes }),
  );
}

function tooSlow(): Fault {
  const problem = `must be fetched within ${totalTimeoutMs / 1000} seconds; send large files with file.upload`;
  return invalidField('message.content', `files ${problem}`);
}

/** Uploads first: the cheapest check runs before anything is fetched or stored. */
const order = { id: 0, data: 1, url: 2 } as const;

/**
 * Stores the files of a message, in part order. Their bytes are durable when this resolves, and the write that references them retains
 * them. Ends with the first problem, which names its part, or when the caller disconnects.
 */
export async function takeAttachments(parts: readonly FilePart[], context: Context): Promise<Attachment[]> {
  const taken = new Map<FilePart, Attachment>();
  const queue = parts.toSorted((a, b) => order[a.source.kind] - order[b.source.kind]);
  const end = new AbortController();
  const isFetching = parts.some(({ source }) => source.kind === 'url');
  const signal = AbortSignal.any([isFetching ? context.outwardSignal : context.signal, end.signal]);
  const timer = context.intake.clock.setTimer(() => end.abort(tooSlow()), totalTimeoutMs);
  const work = async () => {
    try {
      for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
        signal.throwIfAborted();
        taken.set(part, await take(part, context, signal));
      }
    } catch (error) {
      // The other files are no longer needed.
      end.abort(error);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    timer.cancel();
  }
  signal.throwIfAborted();
  return parts.flatMap((part) => taken.get(part) ?? []);
}
