import { type RateVerdict, windowS } from '../../rules/instance/rate-window.ts';
import { OauthFault } from './oauth-answer.ts';
import type { TokenLimiter, WebRequest } from '../request/web-request.ts';

function describe({ limit, remaining, resetS }: RateVerdict): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetS),
    'ratelimit-policy': `${limit};w=${windowS}`,
  };
}

/** Counts requests of clients, and provides the rate limit headers of their responses. */
export class TokenRate {
  readonly #limiter: TokenLimiter | null;
  readonly #headers = new WeakMap<WebRequest, Record<string, string>>();

  constructor(limiter: TokenLimiter | null) {
    this.#limiter = limiter;
  }

  /** Rejects with 429 if there were too many. */
  async take(request: WebRequest, key: string): Promise<void> {
    if (!this.#limiter) return;
    const verdict = await this.#limiter.take(key, 'token');
    this.#headers.set(request, describe(verdict));
    if (verdict.isAdmitted) return;
    const problem = `more than ${verdict.limit} requests a minute of one client`;
    throw new OauthFault('temporarily_unavailable', problem, 429, { 'retry-after': String(verdict.resetS) });
  }

  headersOf(request: WebRequest): Record<string, string> {
    return this.#headers.get(request) ?? {};
  }
}
