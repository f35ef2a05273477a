import { PreviewFault, type PreviewTrouble } from './preview-fault.ts';

/** What was read of a file. */
export interface FileBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether there was more than the limit. */
  isCut: boolean;
}

export interface FetchOptions {
  maxBytes: number;
  /** Whether the beginning of a larger file is useful; otherwise it is rejected. */
  canCut?: boolean;
  signal?: AbortSignal;
}

const troubleByStatus: Readonly<Record<number, PreviewTrouble>> = {
  400: 'broken',
  403: 'expired',
  404: 'gone',
  412: 'unconverted',
  413: 'tooLarge',
  503: 'busy',
};

function refuse({ status }: Response): PreviewFault {
  return new PreviewFault(troubleByStatus[status] ?? 'unreachable');
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, length - at), at);
    at += piece.length;
  }
  return bytes;
}

/** Chunks until the limit is exceeded. With a reader, because not every browser can iterate over a body. */
async function readPieces(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<{ pieces: Uint8Array[]; length: number }> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length <= maxBytes) continue;
    await reader.cancel();
    break;
  }
  return { pieces, length };
}

/** The bytes at a signed URL, at most `maxBytes`. Sends no credentials. Rejects with a `PreviewFault`. */
export async function fetchFile(url: string, { maxBytes, canCut = false, signal }: FetchOptions): Promise<FileBytes> {
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', signal: signal ?? null }).catch(
    (error: unknown) => {
      throw signal?.aborted === true ? error : new PreviewFault('unreachable', error);
    },
  );
  if (!response.ok || !response.body) throw refuse(response);
  if (!canCut && Number(response.headers.get('content-length')) > maxBytes) {
    await response.body.cancel();
    throw new PreviewFault('tooLarge');
  }
  const { pieces, length } = await readPieces(response.body, maxBytes);
  if (length > maxBytes && !canCut) throw new PreviewFault('tooLarge');
  return { bytes: join(pieces, Math.min(length, maxBytes)), isCut: length > maxBytes };
}
