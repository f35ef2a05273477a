import { isJsonObject } from '@errand/base/json-object.ts';
import { ModelFault, type ModelFaultKind } from '../model.ts';
import { readRetryAfter } from '../../rules/http/retry-after.ts';

const longestDetail = 300;

/** Errors the SDK raises before anything is sent: this request can never succeed. */
const refusedNames = new Set(['AI_UnsupportedFunctionalityError', 'AI_InvalidArgumentError', 'AI_InvalidPromptError']);

/** The parts of the SDK's errors that are used. They are recognized by shape, so that the SDK need not be loaded for it. */
interface CallError {
  name?: unknown;
  message?: unknown;
  statusCode?: unknown;
  responseHeaders?: Record<string, string>;
  isRetryable?: unknown;
  data?: unknown;
  cause?: unknown;
}

function findFault(error: unknown): ModelFault | null {
  for (let at = error, depth = 0; isJsonObject(at) && depth < 8; at = at['cause'], depth++) {
    if (at instanceof ModelFault) return at;
  }
  return null;
}

/** Some providers report an exhausted account as 429, but waiting does not help. */
function isOutOfQuota(error: CallError): boolean {
  const frame = isJsonObject(error.data) ? error.data : {};
  const detail = isJsonObject(frame['error']) ? frame['error'] : frame;
  return detail['code'] === 'insufficient_quota' || detail['type'] === 'insufficient_quota';
}

function classifyStatus(status: number, error: CallError): ModelFaultKind {
  if (status === 429 || status === 529) return isOutOfQuota(error) ? 'refused' : 'overloaded';
  if (status >= 500 || status === 408 || status === 409 || status === 425) return 'unavailable';
  return status >= 300 ? 'refused' : 'malformed';
}

function classify(error: CallError): ModelFaultKind {
  if (typeof error.statusCode === 'number') return classifyStatus(error.statusCode, error);
  return typeof error.name === 'string' && refusedNames.has(error.name) ? 'refused' : 'malformed';
}

/** The provider's message as one line, truncated last, so that no part of a secret is left at the cut. */
function quote({ message }: CallError, secret: string | undefined): string {
  if (typeof message !== 'string') return '';
  const hidden = secret ? message.replaceAll(secret, '[hidden]') : message;
  return hidden.replaceAll(/\s+/g, ' ').trim().slice(0, longestDetail);
}

/** One short line of what the provider said. */
function describe(error: CallError, kind: ModelFaultKind, secret: string | undefined): string {
  const status = typeof error.statusCode === 'number' && error.statusCode >= 300 ? ` (${error.statusCode})` : '';
  if (kind === 'malformed') return 'the reply could not be understood';
  const said = quote(error, secret);
  return `${kind === 'refused' ? 'the request was refused' : 'the provider failed'}${status}${said ? `: ${said}` : ''}`;
}

/** Response headers with the id of a request: OpenAI and most compatible servers, Anthropic, Google. */
const requestIdHeaders = ['x-request-id', 'request-id', 'x-goog-request-id'];

function readRequestId(headers: Record<string, string> = {}): string | undefined {
  const found = requestIdHeaders.map((name) => headers[name]).find((value) => value !== undefined && value !== '');
  return found?.slice(0, 200);
}

/**
 * Classifies a failed call for the loop.
 * @param nowMs wall-clock time, for `Retry-After` dates
 * @param secret text to remove from the message
 */
export function toModelFault(error: unknown, nowMs: number, secret?: string): ModelFault {
  const fault = findFault(error);
  if (fault) return fault;
  const shape: CallError = isJsonObject(error) ? error : { message: error };
  const kind = classify(shape);
  const retryAfterMs = shape.responseHeaders ? readRetryAfter(shape.responseHeaders, nowMs) : null;
  const requestId = readRequestId(shape.responseHeaders);
  return new ModelFault(kind, describe(shape, kind, secret), {
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(requestId !== undefined && { requestId }),
  });
}
