import { renderRefusal } from './oauth-answer.ts';
import type { TokenRate } from './token-rate.ts';
import type { Handler } from '../request/web-request.ts';

/** A handler whose errors are reported as in RFC 6749, with the client's rate limit headers. Unexpected errors are rethrown. */
export function forApplications(rate: TokenRate, handle: Handler): Handler {
  return async (request) => {
    const answer = await handle(request).catch((error: unknown) => {
      const refusal = renderRefusal(error);
      if (refusal) return refusal;
      throw error;
    });
    return { ...answer, headers: { ...answer.headers, ...rate.headersOf(request) } };
  };
}
