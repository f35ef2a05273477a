import { Readable } from 'node:stream';
import { S3mini, S3ServiceError } from 's3mini';
import { Fault } from '@errand/base/fault.ts';
import type { ByteRange } from './blob-store.ts';

/** Size of an upload buffer; blobs up to this size take one request. The minimum of S3 is 5 MB. */
const partBytes = 8 * 1024 * 1024;
/** Timeout of a request with one part or no body. */
const requestMs = 120_000;
const retryAfterS = 10;

/** A bucket and the keys to it. */
export interface S3Bucket {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
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

/** Objects of a bucket by their keys. An object exists, complete, once its last request succeeds. */
export class S3Objects {
  readonly #writer: S3mini;
  /** No overall timeout: a body takes as long as its reader. */
  readonly #reader: S3mini;

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Bucket) {
    const options = { accessKeyId, secretAccessKey, region, endpoint: `${endpoint}/${bucket}` };
    this.#writer = new S3mini({ ...options, requestAbortTimeout: requestMs });
    this.#reader = new S3mini(options);
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const parts = inParts(source);
    const first = await nextPart(parts);
    const second = await nextPart(parts);
    if (second) await this.#putInParts(key, [first ?? Buffer.alloc(0), second], parts);
    else await asked(this.#writer.putObject(key, first ?? Buffer.alloc(0)));
  }

  /** Null if it does not exist. */
  async size(key: string): Promise<number | null> {
    try {
      return await this.#writer.getContentLength(key);
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw storeFault(error);
    }
  }

  /** Null if it does not exist. */
  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const { body } = await this.#reader.getObjectRaw(key, range === undefined, range?.start, range && range.end + 1);
      return body === null ? Readable.from([]) : Readable.fromWeb(body);
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (statusOf(error) === 404) return null;
      throw storeFault(error);
    }
  }

  async remove(key: string): Promise<void> {
    await this.#abandon(key);
    await asked(this.#writer.deleteObject(key));
  }

  /** The keys that begin with a prefix. */
  async list(prefix: string): Promise<string[]> {
    const found = await asked(this.#reader.listObjects('/', prefix));
    return (found ?? []).map(({ Key }) => Key);
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
