import { Readable } from 'node:stream';
import { Fault, invalidField } from '@errand/base/fault.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { Attachment } from '../../rules/events/task-event.ts';
import { chooseContentType, fileStatusAt, readFilename } from '../../rules/files/upload-policy.ts';
import type { FileRecord } from '../../store/files/file-record.ts';
import { getFile } from '../../store/files/files.ts';
import { keyOfFile } from '../files/file-key.ts';
import { type FilePart, maxPartBytes, partTooLarge } from './message-part.ts';
import type { Context } from '../contract/operation.ts';

/** What fetching one file may take. */
const fetchLimits = { totalMs: 60_000, connectMs: 10_000, redirects: 5, allowHttp: true } as const;
/** Files that are fetched for one message at once. */
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

/** The last part of an address's path, where it can be a name. */
function nameOfUrl(field: string, address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Not encoded as it should be: taken as it stands.
  }
  return name === '' ? 'file' : readFilename(field, name);
}

/** Fetches a file part; what is wrong with the address or the answer is 400 naming the part. */
async function fetchPart({ field, filename, contentType }: FilePart, url: string, httpClient: SafeFetch) {
  const place = `${field}.file_url`;
  const request = { ...fetchLimits, url, method: 'GET', maxBytes: maxPartBytes } as const;
  const reply = await httpClient.request(request).catch((error: unknown) => {
    throw error instanceof OutboundFault ? invalidField(place, error.message) : error;
  });
  if (reply.status !== 200) throw invalidField(place, `the server answered with status ${reply.status}`);
  if (reply.isTruncated) throw partTooLarge(place);
  const encoding = reply.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw invalidField(place, 'the server sends it compressed only');
  const name = filename ?? nameOfUrl(place, reply.finalUrl);
  return { bytes: reply.body, name, type: contentType ?? chooseContentType(name, reply.headers['content-type']) };
}

async function take(part: FilePart, context: Context): Promise<Attachment> {
  const { accountId } = context.principal;
  const { blobs, httpClient } = context.intake;
  const { source } = part;
  if (source.kind === 'id') {
    const { filename: uploadedAs, contentType: known, stored } = await findUpload(part, source.fileId, context);
    const filename = part.filename ?? uploadedAs;
    if (stored === null) throw new Error('a file that was found has its bytes');
    return attach(part, filename, part.contentType ?? known, stored);
  }
  if (source.kind === 'url') {
    const { bytes, name, type } = await fetchPart(part, source.url, httpClient);
    return attach(part, name, type, await blobs.put(accountId, Readable.from([bytes]), { maxBytes: maxPartBytes }));
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

/** Uploads first, because the cheapest refusal comes before anything is fetched or stored. */
const order = { id: 0, data: 1, url: 2 } as const;

/**
 * Brings the files of a message under this service's own roof, in the order of its parts: their bytes are durable when this
 * resolves, and the write that names them keeps them. Problems are reported by position.
 */
export async function takeAttachments(parts: readonly FilePart[], context: Context): Promise<Attachment[]> {
  const taken = new Map<FilePart, Attachment>();
  const queue = parts.toSorted((a, b) => order[a.source.kind] - order[b.source.kind]);
  const work = async () => {
    try {
      for (let part = queue.shift(); part !== undefined; part = queue.shift()) taken.set(part, await take(part, context));
    } catch (error) {
      // Nobody needs the others any more.
      queue.length = 0;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return parts.flatMap((part) => taken.get(part) ?? []);
}
