/** Error codes of the envelope (docs/reference/api.md#errors) with their HTTP status. */
export const faultStatus = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  conflict: 409,
  failed_precondition: 412,
  payload_too_large: 413,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type FaultCode = keyof typeof faultStatus;

export interface FaultOptions {
  /** What operators see in the log; never leaves the service. */
  detail?: string;
  cause?: unknown;
  /** Seconds after which the caller may retry. */
  retryAfterS?: number;
  /** HTTP status if it differs from the code's own (405, 414, 431). */
  status?: number;
  /** Whether a `conflict` is with something that exists, not with a request in progress. */
  isAlreadyThere?: boolean;
  /** The field of the request that the message is about. */
  param?: string;
  /** OAuth scopes that an access token lacks for the request. */
  neededScopes?: readonly string[];
}

/** The only error meant for callers: `message` is public, everything else stays inside. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly isAlreadyThere: boolean;
  readonly param: string | undefined;
  readonly neededScopes: readonly string[];

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.status = options.status ?? faultStatus[code];
    this.detail = options.detail;
    this.retryAfterS = options.retryAfterS;
    this.isAlreadyThere = options.isAlreadyThere ?? false;
    this.param = options.param;
    this.neededScopes = options.neededScopes ?? [];
  }
}

/** A 400 for one named field. */
export function invalidField(field: string, problem: string): Fault {
  return new Fault('invalid_argument', `${field}: ${problem}`, { param: field });
}

/** A 400 for a missing required field; `more` completes the sentence. */
export function missingField(field: string, more = ''): Fault {
  return new Fault('invalid_argument', `${field} is required${more}`, { param: field });
}
