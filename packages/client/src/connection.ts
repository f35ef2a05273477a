import { ErrandError, isPassing, readRefusal } from './errand-error.ts';

/** The URL of the service and the caller's credential. */
export interface ErrandOptions {
  /** URL of the service, without `/v2`. */
  baseUrl?: string;
  apiKey?: string;
  /** An OAuth access token, instead of an API key. */
  accessToken?: string;
  /**
   * Headers that authenticate the caller, instead of both: for pages of the service itself, where the browser adds the session
   * cookie.
   */
  headers?: Record<string, string>;
  /** The path of the operations below the URL; `/v2` by default. */
  root?: string;
  /** How often a request is retried if the service is unavailable, overloaded or asks to wait. */
  maxRetries?: number;
  /** Timeout of one request. Streams have none. */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Ensures that a retried write takes effect once. By default a random key; with null, the write has none and is not retried. */
  idempotencyKey?: string | null;
}

interface Request {
  method: 'GET' | 'POST';
  path: string;
  input: object;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

const firstDelayMs = 500;
const longestDelayMs = 20_000;

/** Resolves after a delay, or rejects with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** The delay before a retry: as the service asks, or twice the last one, with jitter so that clients do not retry together. */
export function planDelayMs(retry: number, retryAfterMs: number | null): number {
  const grown = Math.min(longestDelayMs, firstDelayMs * 2 ** retry);
  return Math.max(retryAfterMs ?? 0, grown * (0.5 + Math.random() / 2));
}

type Parameter = string | number | boolean | null | undefined | { [name: string]: Parameter };

function isPlain(value: Parameter): value is { [name: string]: Parameter } {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Fields of objects are parameters of their own: `metadata.<key>`. */
function* listParameters(input: object, prefix = ''): Generator<[string, string]> {
  for (const [name, value] of Object.entries(input) as [string, Parameter][]) {
    if (value === undefined || value === null) continue;
    if (isPlain(value)) yield* listParameters(value, `${prefix}${name}.`);
    else yield [prefix + name, String(value)];
  }
}

function toQuery(input: object): string {
  return new URLSearchParams([...listParameters(input)]).toString();
}

function readCredential({ apiKey, accessToken, headers }: ErrandOptions): Record<string, string> {
  const credentials = [
    apiKey !== undefined && { 'x-service-api-key': apiKey },
    accessToken !== undefined && { authorization: `Bearer ${accessToken}` },
    headers,
  ].filter((one) => one !== undefined && one !== false);
  const [credential, ...others] = credentials;
  if (!credential || others.length > 0) throw new TypeError('Give either apiKey or accessToken.');
  return credential;
}

/**
 * A new idempotency key. Not `randomUUID`, which browsers withhold from pages without TLS, such as those of a service on a local network.
 */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Requests of one caller to one service. */
export class Connection {
  readonly #options: Required<Omit<ErrandOptions, 'apiKey' | 'accessToken' | 'headers'>>;
  readonly #credential: Record<string, string>;

  constructor(options: ErrandOptions) {
    const { baseUrl = 'http://localhost:7070', root = '/v2', maxRetries = 4, timeoutMs = 30_000 } = options;
    this.#credential = readCredential(options);
    const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#options = { baseUrl: baseUrl.replace(/\/+$/, ''), root, maxRetries, timeoutMs, fetch };
  }

  /** Calls one operation, with retries of temporary failures. Returns the response without its envelope's `ok`. */
  async call(name: string, method: 'GET' | 'POST', input: object, options: CallOptions = {}): Promise<object> {
    const key = options.idempotencyKey === undefined ? newKey() : options.idempotencyKey;
    const headers: Record<string, string> = method === 'POST' && key !== null ? { 'idempotency-key': key } : {};
    const maxRetries = method === 'POST' && key === null ? 0 : this.#options.maxRetries;
    const request = { method, path: `${this.#options.root}/${name}`, input, headers, signal: options.signal };
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#ask(request);
      } catch (error) {
        if (!isPassing(error) || retry >= maxRetries) throw error;
        await pause(planDelayMs(retry, error.retryAfterMs), options.signal);
      }
    }
  }

  /** Sends one request and returns a successful response; throws `ErrandError` for any other. */
  async open({ method, path, input, headers, signal }: Request): Promise<Response> {
    const query = method === 'GET' ? toQuery(input) : '';
    const init: RequestInit = {
      method,
      headers: { ...this.#credential, ...headers, ...(method === 'POST' && { 'content-type': 'application/json' }) },
      ...(method === 'POST' && { body: JSON.stringify(input) }),
      ...(signal && { signal }),
    };
    const { baseUrl, fetch } = this.#options;
    const response = await fetch(`${baseUrl}${path}${query && `?${query}`}`, init).catch((cause: unknown) => {
      throw lostConnection(cause, signal);
    });
    if (!response.ok) throw await readRefusal(response);
    return response;
  }

  /** Puts bytes to a pre-signed URL, without a credential. */
  async put(url: string, body: RequestInit['body'], signal?: AbortSignal): Promise<void> {
    const response = await this.#options
      .fetch(url, { method: 'PUT', body: body ?? null, ...(signal && { signal }) })
      .catch((cause: unknown) => {
        throw lostConnection(cause, signal);
      });
    if (!response.ok) throw await readRefusal(response);
  }

  async #ask(request: Request): Promise<object> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const response = await this.open({ ...request, signal }).catch((error: unknown) => {
      throw timeout.aborted && !request.signal?.aborted ? lostConnection(timeout.reason) : error;
    });
    const body: unknown = await response.json().catch((cause: unknown) => {
      throw lostConnection(cause, request.signal);
    });
    return body as object;
  }
}

/** Why a request failed; the caller's own abort is passed on unchanged. */
function lostConnection(cause: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted && cause === signal.reason) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ErrandError(`the service could not be reached: ${reason}`, { code: 'connection', cause });
}
