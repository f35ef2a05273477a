import { Fault } from '@errand/base/fault.ts';
import { type RateVerdict, windowS } from '../../rules/instance/rate-window.ts';

/** A response that has not been sent, in Fastify or node. */
interface Answer {
  header?(name: string, value: string | number): unknown;
  setHeader?(name: string, value: string | number): unknown;
}

/** Sets the rate limit headers of the response; throws 429 `resource_exhausted` if the request is over the limit. */
export function setRateHeaders({ isAdmitted, limit, remaining, resetS }: RateVerdict, answer: Answer): undefined {
  const set = (name: string, value: string | number) => void (answer.header?.(name, value) ?? answer.setHeader?.(name, value));
  set('ratelimit-limit', limit);
  set('ratelimit-remaining', remaining);
  set('ratelimit-reset', resetS);
  set('ratelimit-policy', `${limit};w=${windowS}`);
  if (isAdmitted) return undefined;
  throw new Fault('resource_exhausted', 'Rate limit exceeded. Please retry after a short backoff.', { retryAfterS: resetS });
}
