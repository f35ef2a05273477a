import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, ReplyHead, SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { bareEtag, readErrorCode, readObjectList, type ObjectPage } from '../../rules/triggers/object-list.ts';
import { isRequestable, signRequest, type UnsignedRequest } from '../../rules/triggers/s3-signature.ts';
import { type BucketKeys, type ListedObject, mostObjects, type WatchedBucket } from '../../rules/triggers/watched-bucket.ts';
import { BucketProblem, explainStatus } from './bucket-problem.ts';
import { FileChanged } from './folder-files.ts';

const connectMs = 10_000;
/** Timeout of the first request, for which somebody waits. */
const checkMs = 20_000;
/** Timeout of a request for a page of a list, or to delete an object. */
const requestMs = 60_000;
/** Timeout for the bytes of an object: the largest may come with 1 MB a second. */
const objectMs = 540_000;
/** Keys of a page, and its bytes: each key may be long, and encoded. */
const [pageObjects, pageBytes] = [1000, 8 * 1024 * 1024];
const errorBytes = 16 * 1024;
/** Pages of a list; some storages return fewer objects than asked for. */
const mostPages = 1000;

export interface BucketClientParts {
  bucket: Pick<WatchedBucket, 'endpoint' | 'region' | 'name' | 'prefix'>;
  keys: BucketKeys;
  httpClient: SafeFetch;
  /** Whether the connection may be unencrypted. */
  allowHttp: boolean;
  clock: Pick<Clock, 'now'>;
  /** The account whose bucket it is. */
  owner: string;
}

type Asked = Pick<UnsignedRequest, 'method' | 'key'> & Partial<Pick<UnsignedRequest, 'query' | 'headers'>>;
type Limits = Pick<Parameters<SafeFetch['request']>[0], 'maxBytes' | 'totalMs' | 'signal' | 'receive'>;

/** The objects below a prefix of a bucket. Redirects are never followed: they would lead the signed request elsewhere. */
export class BucketClient {
  readonly #parts: BucketClientParts;

  constructor(parts: BucketClientParts) {
    this.#parts = parts;
  }

  /** Asks for one object; returns the storage's time in milliseconds, by its own clock. Rejects with `BucketProblem`. */
  async check(signal: AbortSignal): Promise<number> {
    const { reply } = await this.#listPage({ 'max-keys': '1' }, signal, checkMs);
    const time = Date.parse(reply.headers.date ?? '');
    return Number.isNaN(time) ? this.#parts.clock.now() : time;
  }

  /** The pages of the whole list. Rejects with `BucketProblem`, also for a list that is too long or does not end. */
  async *list(signal: AbortSignal): AsyncGenerator<ListedObject[]> {
    let token: string | null = null;
    let count = 0;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const query: Record<string, string> = token === null ? {} : { 'continuation-token': token };
      const { page }: { page: ObjectPage } = await this.#listPage({ ...query, 'max-keys': String(pageObjects) }, signal);
      if (page.objects.length > pageObjects)
        throw new BucketProblem(
          'endpoint',
          `The storage returns more than the ${pageObjects} objects a page that it was asked for.`,
        );
      count += page.objects.length;
      if (count > mostObjects)
        throw new BucketProblem(
          'prefix',
          `There are more than ${mostObjects} objects below the prefix; choose a longer one, or move away what is done.`,
        );
      yield page.objects;
      if (page.next === null) return;
      if (page.next === token) break;
      token = page.next;
    }
    throw new BucketProblem('endpoint', 'The list of objects that the storage returns does not end.');
  }

  /**
   * The bytes of an object. Rejects with `FileChanged` unless it is as it was listed, with `BucketProblem`, or with a fault for one that
   * can never be read.
   */
  async *read({ key, etag, bytes }: ListedObject, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (!isRequestable(key))
      throw new Fault('invalid_argument', 'The key of the object cannot be requested: it has a part . or ..');
    const [opened, done] = [
      Promise.withResolvers<{ body: AsyncIterable<Buffer>; head: ReplyHead }>(),
      Promise.withResolvers<void>(),
    ];
    const receive = (body: AsyncIterable<Buffer>, head: ReplyHead) => {
      opened.resolve({ body, head });
      return done.promise;
    };
    const limits = { maxBytes: Math.max(bytes, errorBytes), totalMs: objectMs, signal, receive };
    const headers: Record<string, string> = etag === '' ? {} : { 'if-match': `"${etag}"` };
    const sent = this.#send({ method: 'GET', key, headers }, limits);
    void sent.catch(opened.reject);
    try {
      const { body, head } = await opened.promise;
      await checkRead(head, body, { etag, bytes });
      yield* body;
    } catch (error) {
      throw explainError(error);
    } finally {
      done.resolve();
      await sent.catch(() => undefined);
    }
  }

  /** Deletes an object. Rejects with `BucketProblem`. */
  async remove(key: string, signal: AbortSignal): Promise<void> {
    const limits = { maxBytes: errorBytes, totalMs: requestMs, signal };
    const { status, body } = await this.#ask({ method: 'DELETE', key }, limits);
    if (status !== 200 && status !== 204 && status !== 404) throw explainStatus(status, readErrorCode(body.toString()));
  }

  async #listPage(
    query: Record<string, string>,
    signal: AbortSignal,
    totalMs = requestMs,
  ): Promise<{ reply: OutboundReply; page: ObjectPage }> {
    const { prefix } = this.#parts.bucket;
    const all = { 'list-type': '2', 'encoding-type': 'url', ...(prefix !== '' && { prefix }), ...query };
    const reply = await this.#ask({ method: 'GET', key: '', query: all }, { maxBytes: pageBytes, totalMs, signal });
    const { status, body, isTruncated } = reply;
    if (status !== 200) throw explainStatus(status, readErrorCode(body.subarray(0, errorBytes).toString()));
    const page = isTruncated ? null : readObjectList(body.toString());
    if (page) return { reply, page };
    throw new BucketProblem('endpoint', 'The storage does not answer as S3 does: what it returned is no list of objects.');
  }

  async #ask(asked: Asked, limits: Limits): Promise<OutboundReply> {
    try {
      return await this.#send(asked, limits);
    } catch (error) {
      throw explainError(error);
    }
  }

  #send({ query = {}, headers = {}, ...asked }: Asked, limits: Limits): Promise<OutboundReply> {
    const { bucket, keys, httpClient, allowHttp, clock, owner } = this.#parts;
    const bucketUrl = `${bucket.endpoint}/${bucket.name}`;
    const signer = { ...keys, region: bucket.region, nowMs: clock.now() };
    const { url, headers: signed } = signRequest({ ...asked, bucketUrl, query, headers }, signer);
    return httpClient.request({
      url,
      method: asked.method,
      headers: signed,
      allowHttp,
      redirects: 0,
      connectMs,
      owner,
      ...limits,
    });
  }
}

function explainError(error: unknown): unknown {
  if (!(error instanceof OutboundFault)) return error;
  return new BucketProblem('endpoint', `The storage cannot be reached: the endpoint ${error.message}.`, error);
}

/** The beginning of a body that explains an error: as long as the storage likes, but not read to its end. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= errorBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, errorBytes).toString();
}

/** Throws unless a response is the object as it was listed. */
async function checkRead(
  { status, headers }: ReplyHead,
  body: AsyncIterable<Buffer>,
  { etag, bytes }: Pick<ListedObject, 'etag' | 'bytes'>,
): Promise<void> {
  if (status === 404 || status === 412) throw new FileChanged('The object was changed while it was read.');
  if (status !== 200) {
    const code = readErrorCode(await readBeginning(body));
    if (code === 'InvalidObjectState') throw new Fault('invalid_argument', 'The object is archived and cannot be read.');
    throw explainStatus(status, code);
  }
  const { etag: readEtag, 'content-length': length } = headers;
  // Storages that do not know the condition answer with whatever the object is by now.
  const isOther = etag !== '' && readEtag !== undefined && bareEtag(readEtag) !== etag;
  if (isOther || (length !== undefined && Number(length) !== bytes))
    throw new FileChanged('The object was changed while it was read.');
}
