import { Fault } from '@errand/base/fault.ts';
import { findTargetProblem, type OauthError, type OauthErrorCode } from '../../rules/oauth/oauth-policy.ts';
import type { Fields, WebAnswer } from '../request/web-request.ts';

/** An error of RFC 6749 for an application's request. */
export class OauthFault extends Error {
  readonly problem: OauthError;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(error: OauthErrorCode, description: string, status = 400, headers: Record<string, string> = {}) {
    super(description);
    this.name = 'OauthFault';
    this.problem = { error, description };
    this.status = status;
    this.headers = headers;
  }
}

/** Headers of every response to applications: it is not cached, and pages of other sites may read it. */
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Refuses a token for something else than this instance (RFC 8707). */
export function checkTarget(fields: Fields, publicUrl: string): void {
  const problem = findTargetProblem(fields.resource, publicUrl);
  if (problem) throw new OauthFault(problem.error, problem.description);
}

export function answerJson(body: unknown, status = 200, more: Record<string, string> = {}): WebAnswer {
  return { status, headers: { ...headers, ...more }, body: JSON.stringify(body) };
}

/** The response to a rejected request; null for unexpected errors. */
export function renderRefusal(error: unknown): WebAnswer | null {
  if (error instanceof OauthFault) {
    const { problem, status, headers: more } = error;
    return answerJson({ error: problem.error, error_description: problem.description }, status, more);
  }
  if (error instanceof Fault && error.status < 500) {
    return answerJson({ error: 'invalid_request', error_description: error.message }, error.status);
  }
  return null;
}

/** An internal error without details: 503 if a retry may help soon, 500 otherwise. */
export function answerInside(error: unknown): WebAnswer {
  if (error instanceof Fault && error.code === 'unavailable') {
    const body = { error: 'temporarily_unavailable', error_description: error.message };
    return answerJson(body, 503, { 'retry-after': String(error.retryAfterS ?? 1) });
  }
  return answerJson({ error: 'server_error', error_description: 'Something went wrong inside the service.' }, 500);
}
