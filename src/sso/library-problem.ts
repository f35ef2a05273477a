import { ProviderProblem } from './provider-problem.ts';

interface LibraryError extends Error {
  code?: unknown;
  /** An error response in the format of RFC 6749. */
  error?: unknown;
  status?: unknown;
}

/** Safe for a log line. */
function clean(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200) : '';
}

/** Whether the provider rejects the id or the secret of this service. */
export function isClientRefused(error: unknown): boolean {
  const { error: code, status } = (error ?? {}) as LibraryError;
  return code === 'invalid_client' || (status === 401 && code !== 'invalid_grant');
}

/** Classifies an error of the library. */
export function explainLibraryError(error: unknown): ProviderProblem {
  if (error instanceof ProviderProblem) return error;
  const { code, error: refusal, message, cause } = error as LibraryError;
  // Errors of the HTTP client arrive as the cause of a library error.
  if (cause instanceof ProviderProblem) return cause;
  if (isClientRefused(error)) {
    return new ProviderProblem('broken', 'it does not accept ERRAND_OIDC_CLIENT_ID with ERRAND_OIDC_CLIENT_SECRET', error);
  }
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    const isTheirs = refusal === 'server_error' || refusal === 'temporarily_unavailable';
    return new ProviderProblem(isTheirs ? 'unreachable' : 'denied', `it answers ${clean(refusal)}`, error);
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    return new ProviderProblem(refusal === 'invalid_grant' ? 'foreign' : 'broken', `it answers ${clean(refusal)}`, error);
  }
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    return new ProviderProblem('clock', 'the times in its answer are not of now', error);
  const detail = cause instanceof Error ? `: ${clean(cause.message)}` : '';
  return new ProviderProblem('broken', `its answer is not right: ${clean(message)}${detail}`, error);
}
