import { invalidField } from '@errand/base/fault.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { ReplyHead } from '@errand/base/net/safe-fetch.ts';
import { chooseContentType, readFilename } from '../../rules/files/upload-policy.ts';
import { BlobTooLarge } from '../../store/blobs/blob-store.ts';
import type { StoredBlob } from '../../store/blobs/blobs.ts';
import type { Context } from '../contract/operation.ts';
import { type FilePart, maxPartBytes, partTooLarge } from './message-part.ts';

/** Limits of one fetch. The extra byte reveals a file that is too large. */
const limits = { totalMs: 60_000, connectMs: 10_000, redirects: 5, allowHttp: true, maxBytes: maxPartBytes + 1 } as const;

/** A fetched and stored file. */
export interface FetchedPart {
  name: string;
  type: string;
  stored: StoredBlob;
}

/** The last segment of a URL's path, if it is a valid name. */
function nameOfUrl(field: string, address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Invalid encoding: used unchanged.
  }
  return name === '' ? 'file' : readFilename(field, name);
}

/** Checks the response head before the body is read. */
function readHead(place: string, { filename, contentType }: FilePart, { status, headers, finalUrl }: ReplyHead) {
  if (status !== 200) throw invalidField(place, `the server answered with status ${status}`);
  if (Number(headers['content-length'] ?? 0) > maxPartBytes) throw partTooLarge(place);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw invalidField(place, 'the server sends it only compressed');
  const name = filename ?? nameOfUrl(place, finalUrl);
  return { name, type: contentType ?? chooseContentType(name, headers['content-type']) };
}

/**
 * Streams a file part into the blob store once the fetch limit, shared by all accounts, allows it. A problem with the URL or its server is
 * a 400 that names the part.
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
