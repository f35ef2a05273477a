import { Fault, invalidField } from '@errand/base/fault.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { ReplyHead, SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { chooseContentType, readFilename } from '../../rules/files/upload-policy.ts';
import { BlobTooLarge } from '../../store/blobs/blob-store.ts';
import type { Blobs, StoredBlob } from '../../store/blobs/blobs.ts';
import { type FilePart, maxPartBytes, partTooLarge } from './message-part.ts';

/** Limits of one fetch. The extra byte reveals a file that is too large. */
const limits = { totalMs: 60_000, connectMs: 10_000, redirects: 5, allowHttp: true, maxBytes: maxPartBytes + 1 } as const;

/** What a fetch needs. */
export interface FetchServices {
  blobs: Pick<Blobs, 'put'>;
  httpClient: SafeFetch;
  /** Concurrent fetches of this process, shared by all accounts. */
  fetches: FairGate;
}

/** Where a file is, what is known of it, and for whom it is stored. */
export interface WantedFile extends Pick<FilePart, 'filename' | 'contentType'> {
  /** The field that errors name. */
  field: string;
  url: string;
  accountId: string;
}

/** A fetched and stored file. */
export interface FetchedFile {
  name: string;
  type: string;
  stored: StoredBlob;
}

/** The last segment of a URL's path; 400 if it is no valid filename. */
export function nameOfUrl(field: string, address: string): string {
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
function readHead({ field, filename, contentType }: WantedFile, { status, headers, finalUrl }: ReplyHead) {
  if (status !== 200) throw invalidField(field, `the server answered with status ${status}`);
  if (Number(headers['content-length'] ?? 0) > maxPartBytes) throw partTooLarge(field);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw invalidField(field, 'the server sends it only compressed');
  const name = filename ?? nameOfUrl(field, finalUrl);
  return { name, type: contentType ?? chooseContentType(name, headers['content-type']) };
}

/**
 * Streams a file into the blob store once the fetch limit, shared by all accounts, allows it. A problem with the URL or its server is a
 * 400 that names the field. Rejects with the signal's reason once that is aborted.
 */
export async function fetchFile(
  wanted: WantedFile,
  { blobs, httpClient, fetches }: FetchServices,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const { field, url, accountId: owner } = wanted;
  const fetched: FetchedFile[] = [];
  const receive = async (body: AsyncIterable<Buffer>, head: ReplyHead) => {
    const known = readHead(wanted, head);
    fetched.push({ ...known, stored: await blobs.put(owner, body, { maxBytes: maxPartBytes }) });
  };
  try {
    await fetches.run({ owner, signal }, () => httpClient.request({ ...limits, url, method: 'GET', owner, signal, receive }));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BlobTooLarge) throw partTooLarge(field);
    throw error instanceof OutboundFault ? invalidField(field, error.message) : error;
  }
  const [file] = fetched;
  if (!file) throw new Error('a response without a problem has a body');
  return file;
}

/** Why there is no file, without the field that an error of `fetchFile` names; null for a defect of the service. */
export function explainProblem(error: unknown, field: string): string | null {
  if (!(error instanceof Fault) || error.code === 'internal') return null;
  const prefix = `${field}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}
