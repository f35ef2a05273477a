import { Readable } from 'node:stream';
import { S3mini, S3ServiceError } from 's3mini';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { Measuring } from './measuring.ts';
import { BlobMissing, type ByteRange, type Measure, type BlobStore } from './blob-store.ts';

/** Size of an upload buffer; blobs up to this size take one request. The minimum of S3 is 5 MB. */
const partBytes = 8 * 1024 * 1024;
/** Timeout of a request with one part or no body. */
const requestTimeoutMs = 120_000;
const retryAfterS = 10;

export interface S3Place {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Prefix of every key, without a trailing slash. */
  prefix: string;
}

function statusOf(error: unknown): number | null {
  if (error instanceof S3ServiceError) return error.status;
  return error instanceof Error && error.cause !== undefined ? statusOf(error.cause) : null;
}

/** A storage error as callers see it: they can retry, and it is not their fault. */
function storeFault(error: unknown): Fault {
  const isFull = statusOf(error) === 507;
  const problem = isFull ? 'The file storage is full.' : 'The file storage does not respond.';
  return new Fault('unavailable', problem, { retryAfterS, cause: error });
}

async function asked<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    throw storeFault(error);
  }
}

/** Chunks of exactly one part, the last one shorter; at least one, possibly empty. */
async function* inParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    length += chunk.byteLength;
    while (length >= partBytes) {
      const whole = Buffer.concat(chunks);
      yield whole.subarray(0, partBytes);
      chunks = [whole.subarray(partBytes)];
      length -= partBytes;
    }
  }
  yield Buffer.concat(chunks);
}

async function nextPart(parts: AsyncGenerator<Buffer>): Promise<Buffer | null> {
  const { done, value } = (await parts.next()) as IteratorResult<Buffer, undefined>;
  return done === true ? null : value;
}

/** Blobs as objects of a bucket: `<prefix>/<account>/<blob>`. An object exists, complete, once its last request succeeds. */
export class S3BlobStore implements BlobStore {
  readonly #prefix: string;
  readonly #writer: S3mini;
  /** No overall timeout: a body takes as long as its reader. */
  readonly #reader: S3mini;

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix }: S3Place) {
    const options = { accessKeyId, secretAccessKey, region, endpoint: `${endpoint}/${bucket}` };
    this.#prefix = prefix;
    this.#writer = new S3mini({ ...options, requestAbortTimeout: requestTimeoutMs });
    this.#reader = new S3mini(options);
  }

  async put(accountId: string, blobId: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Measure> {
    const key = this.#keyOf(accountId, blobId);
    const measuring = new Measuring(maxBytes);
    const parts = inParts(measuring.pass(source));
    const first = await nextPart(parts);
    const second = await nextPart(parts);
    if (second) await this.#putInParts(key, [first ?? Buffer.alloc(0), second], parts);
    else await asked(this.#writer.putObject(key, first ?? Buffer.alloc(0)));
    return measuring.measure();
  }

  async size(accountId: string, blobId: string): Promise<number | null> {
    try {
      return await this.#writer.getContentLength(this.#keyOf(accountId, blobId));
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw storeFault(error);
    }
  }

  async open(accountId: string, blobId: string, range?: ByteRange): Promise<Readable> {
    try {
      const key = this.#keyOf(accountId, blobId);
      const { body } = await this.#reader.getObjectRaw(key, range === undefined, range?.start, range && range.end + 1);
      return body === null ? Readable.from([]) : Readable.fromWeb(body);
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw statusOf(error) === 404 ? new BlobMissing(blobId) : storeFault(error);
    }
  }

  async remove(accountId: string, blobId: string): Promise<void> {
    const key = this.#keyOf(accountId, blobId);
    await this.#abandon(key);
    await asked(this.#writer.deleteObject(key));
  }

  #keyOf(accountId: string, blobId: string): string {
    if (isId(accountId) && isId(blobId)) return `${this.#prefix}/${accountId}/${blobId}`;
    const detail = `unsafe blob key ${JSON.stringify([accountId, blobId])}`;
    throw new Fault('internal', 'The file cannot be opened.', { detail });
  }

  async #putInParts(key: string, begun: readonly Buffer[], rest: AsyncIterable<Buffer>): Promise<void> {
    const uploadId = await asked(this.#writer.getMultipartUploadId(key));
    const done: { partNumber: number; etag: string }[] = [];
    const send = async (part: Buffer) => {
      if (part.length > 0) done.push(await asked(this.#writer.uploadPart(key, uploadId, part, done.length + 1)));
    };
    try {
      for (const part of begun) await send(part);
      for await (const part of rest) await send(part);
      await asked(this.#writer.completeMultipartUpload(key, uploadId, done));
    } catch (error) {
      // If this fails too, the sweeper finds it by the blob's row.
      await this.#writer.abortMultipartUpload(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  /** Aborts multipart uploads left by a crash: they take space and appear in no list of objects. */
  async #abandon(key: string): Promise<void> {
    const found = await asked(this.#writer.listMultipartUploads('/', '', 'GET', { prefix: key }));
    for (const { Key: name, UploadId: uploadId } of findUploads(found)) {
      if (name === key) await asked(this.#writer.abortMultipartUpload(key, uploadId));
    }
  }
}

interface FoundUpload {
  Key: string;
  UploadId: string;
}

/** The multipart uploads in a response, whose shape depends on their number. */
function findUploads(found: unknown): FoundUpload[] {
  const { ListMultipartUploadsResult: result } = found as {
    ListMultipartUploadsResult?: { Upload?: FoundUpload | FoundUpload[] };
  };
  return [result?.Upload ?? []].flat();
}
