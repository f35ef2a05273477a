import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const storageKeys = { access_key_id: 'reader', secret_access_key: 'canary-secret-of-the-bucket' };

interface StoredObject {
  bytes: Buffer;
  etag: string;
  modifiedAtMs: number;
}

const emptyHash = createHash('sha256').update('').digest('hex');

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** What AWS documents for the server: the signature of a request as it arrived. */
function computeSignature(request: IncomingMessage, url: URL, scope: string[], names: string[], secret: string): string {
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const lines = names.map((name) => `${name}:${String(request.headers[name]).trim()}`);
  const canonical = [request.method, url.pathname, query.join('&'), ...lines, '', names.join(';'), emptyHash].join('\n');
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope.join('/'), hashed].join('\n');
  let key: string | Buffer = `AWS4${secret}`;
  for (const part of scope) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

/** A storage that speaks as much of S3 as a watched bucket needs, verifies signatures, and can misbehave. */
export class S3Storage {
  readonly #server: Server;
  readonly #objects = new Map<string, StoredObject>();
  /** Requests so far, as method and path. */
  readonly requests: string[] = [];
  /** Answers in place of the storage; true if it did. */
  misbehave: ((request: IncomingMessage, response: ServerResponse, url: URL) => boolean) | null = null;
  bucket = 'drop';
  /** Whether it heeds `If-Match`, which some storages do not know. */
  knowsConditions = true;
  pageSize = 1000;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<S3Storage> {
    const server = createServer();
    const storage = new S3Storage(server);
    server.on('request', (request, response) => storage.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return storage;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get keys(): string[] {
    return [...this.#objects.keys()];
  }

  /** @param modifiedAtMs as of multipart uploads, the time of their start */
  put(
    key: string,
    text: string | Buffer,
    { modifiedAtMs = Date.now(), etag }: { modifiedAtMs?: number; etag?: string } = {},
  ): void {
    const bytes = Buffer.from(text);
    this.#objects.set(key, { bytes, modifiedAtMs, etag: etag ?? createHash('md5').update(bytes).digest('hex') });
  }

  delete(key: string): void {
    this.#objects.delete(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.endpoint);
    this.requests.push(`${request.method} ${url.pathname}`);
    if (this.misbehave?.(request, response, url)) return;
    const problem = this.#verify(request, url);
    if (problem) return fail(response, ...problem);
    const path = decodeURIComponent(url.pathname).slice(1);
    const slash = path.indexOf('/');
    const [bucket, key] = slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
    if (bucket !== this.bucket) return fail(response, 404, 'NoSuchBucket');
    if (key === '') return this.#list(response, url);
    this.#serve(request, response, key);
  }

  #verify(request: IncomingMessage, url: URL): [number, string] | null {
    const found = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
    if (!found) return [403, 'AccessDenied'];
    const [, id, scope = '', names = '', signature] = found;
    if (id !== storageKeys.access_key_id) return [403, 'InvalidAccessKeyId'];
    const expected = computeSignature(request, url, scope.split('/'), names.split(';'), storageKeys.secret_access_key);
    return signature === expected ? null : [403, 'SignatureDoesNotMatch'];
  }

  #list(response: ServerResponse, url: URL): void {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const most = Math.min(this.pageSize, Number(url.searchParams.get('max-keys') ?? 1000));
    const keys = this.keys
      .filter((key) => key.startsWith(prefix))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const rest = keys.slice(after === '' ? 0 : Number(after));
    const page = rest.slice(0, most);
    const contents = page.map((key) => {
      const { bytes, etag, modifiedAtMs } = this.#objects.get(key) as StoredObject;
      const shown = encode(key).replaceAll('%20', '+');
      const time = new Date(modifiedAtMs).toISOString();
      return `<Contents><Key>${shown}</Key><LastModified>${time}</LastModified><ETag>&quot;${escapeXml(etag)}&quot;</ETag><Size>${bytes.length}</Size></Contents>`;
    });
    const next = page.length < rest.length ? `<NextContinuationToken>${Number(after) + page.length}</NextContinuationToken>` : '';
    const head = `<Name>${this.bucket}</Name><EncodingType>url</EncodingType><IsTruncated>${next !== ''}</IsTruncated>`;
    response.setHeader('content-type', 'application/xml');
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${head}${next}${contents.join('')}</ListBucketResult>`,
    );
  }

  #serve(request: IncomingMessage, response: ServerResponse, key: string): void {
    const object = this.#objects.get(key);
    if (!object) return fail(response, 404, 'NoSuchKey');
    if (request.method === 'DELETE') {
      this.#objects.delete(key);
      response.statusCode = 204;
      response.end();
      return;
    }
    const wanted = request.headers['if-match'];
    if (this.knowsConditions && wanted !== undefined && wanted !== `"${object.etag}"`)
      return fail(response, 412, 'PreconditionFailed');
    response.setHeader('etag', `"${object.etag}"`);
    response.end(object.bytes);
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
}
