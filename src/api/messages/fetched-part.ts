import { invalidField } from '@errand/base/fault.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { ReplyHead } from '@errand/base/net/safe-fetch.ts';
import { chooseContentType, readFilename } from '../../rules/files/upload-policy.ts';
import { BlobTooLarge } from '../../store/blobs/blob-store.ts';
import type { StoredBlob } from '../../store/blobs/blobs.ts';
import type { Context } from '../contract/operation.ts';
import { type FilePart, maxPartBytes, partTooLarge } from './message-part.ts';

/** Limits of one fetch. One byte more than a file may have shows that it is too large. */
const limits = { totalMs: 60_000, connectMs: 10_000, redirects: 5, allowHttp: true, maxBytes: maxPartBytes + 1 } as const;

/** A file that was fetched and stored. */
export interface FetchedPart {
  name: string;
  type: string;
  stored: StoredBlob;
}

/** The last part of a URL's path, if it can be a name. */
function nameOfUrl(field: string, address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Not encoded correctly: taken as it is.
  }
  return name === '' ? 'file' : readFilename(field, name);
}

/** Refuses by what is known before the body. */
function readHead(place: string, { filename, contentType }: FilePart, { status, headers, finalUrl }: ReplyHead) {
  if (status !== 200) throw invalidField(place, `the server answered with status ${status}`);
  if (Number(headers['content-length'] ?? 0) > maxPartBytes) throw partTooLarge(place);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw invalidField(place, 'the server sends it compressed only');
  const name = filename ?? nameOfUrl(place, finalUrl);
  return { name, type: contentType ?? chooseContentType(name, headers['content-type']) };
}

/**
 * Fetches a file part into the blob store as it arrives, once there is a place: accounts share them. A problem of the URL or its server is a
 * 400 that names the part.
 */
export async function fetchPart(part: FilePart, url: string, context: Context, signal: AbortSignal): Promise<FetchedPart> {
  const { accountId: owner } = context.principal;
  const { blobs, httpClient, fetches } = context.intake;
  const place = `${part.field}.file_url`;
  const fetched: FetchedPart[] = [];
  const receive = async (body: AsyncIterable<Buffer>, head: ReplyHead) => {
    const known = readHead(place, part, head);
    fetched.push({ ...known, stored: await blobs.put(owner, body, { maxBytes: maxPartBytes }) });
  };
  try {
    await fetches.run({ owner, signal }, () => httpClient.request({ ...limits, url, method: 'GET', owner, signal, receive }));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BlobTooLarge) throw partTooLarge(place);
    throw error instanceof OutboundFault ? invalidField(place, error.message) : error;
  }
  const [file] = fetched;
  if (!file) throw new Error('a response without a problem has a body');
  return file;
}
