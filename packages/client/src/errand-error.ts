/** An error of the service, or the reason why it could not be reached. */
export class ErrandError extends Error {
  override readonly name = 'ErrandError';
  /** `invalid_argument`, `not_found` and so on; `connection` if there was no response. */
  readonly code: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** The field of the request that is invalid; null if the error is about none. */
  readonly param: string | null;
  /** The page of the documentation about the code. */
  readonly docUrl: string | null;
  /** Identifies the request in the service's log. */
  readonly requestId: string | null;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { code, status, param, docUrl, requestId, retryAfterMs, cause }: ErrandErrorFacts) {
    super(message, { cause });
    this.code = code;
    this.status = status ?? null;
    this.param = param ?? null;
    this.docUrl = docUrl ?? null;
    this.requestId = requestId ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

export interface ErrandErrorFacts {
  code: string;
  status?: number;
  param?: string | null;
  docUrl?: string | null;
  requestId?: string | null;
  retryAfterMs?: number | null;
  cause?: unknown;
}

const passingCodes = new Set(['connection', 'unavailable', 'resource_exhausted', 'rate_limited', 'conflict']);

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): error is ErrandError {
  return error instanceof ErrandError && (passingCodes.has(error.code) || (error.status ?? 0) >= 502);
}

function readRetryAfter(response: Response): number | null {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

interface Envelope {
  request_id?: unknown;
  error?: { code?: unknown; message?: unknown; param?: unknown; doc_url?: unknown };
}

/** The error of an unsuccessful response. Proxies respond without an envelope. */
export async function readRefusal(response: Response): Promise<ErrandError> {
  const { status } = response;
  const { request_id, error } = ((await response.json().catch(() => null)) ?? {}) as Envelope;
  const code = typeof error?.code === 'string' ? error.code : status >= 500 ? 'unavailable' : 'unknown';
  const message = typeof error?.message === 'string' ? error.message : `the service answered with status ${status}`;
  const requestId = typeof request_id === 'string' ? request_id : response.headers.get('x-request-id');
  const param = typeof error?.param === 'string' ? error.param : null;
  const docUrl = typeof error?.doc_url === 'string' ? error.doc_url : null;
  return new ErrandError(message, { code, status, param, docUrl, requestId, retryAfterMs: readRetryAfter(response) });
}
