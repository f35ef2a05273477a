import { renderRefusal } from './oauth-answer.ts';
import type { TokenRate } from './token-rate.ts';
import type { Handler } from '../request/web-request.ts';

/** A handler whose refusals leave in the form of RFC 6749, with what is left of its client's rate. What nobody foresaw is thrown on. */
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
