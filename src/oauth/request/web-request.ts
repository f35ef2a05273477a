import type { IncomingHttpHeaders } from 'node:http';
import type { ConnectorService } from '../../api/contract/connector-service.ts';
import type { Urls } from '../../api/contract/urls.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Passwords } from '@errand/base/secrets/passwords.ts';
import type { RateVerdict } from '../../rules/instance/rate-window.ts';
import type { SsoParts } from '../../sso/sso-parts.ts';
import type { Database } from '../../store/db/database.ts';

/** Values by name, without those that were empty. */
export type Fields = Readonly<Record<string, string>>;

/** What a page or an endpoint for applications sees of a request. */
export interface WebRequest {
  method: 'GET' | 'POST';
  path: string;
  /** The query as it came, without its question mark. */
  queryText: string;
  query: Fields;
  /** Of a form or a JSON object; empty for a GET. */
  fields: Fields;
  /** The variable parts of the path. */
  params: Fields;
  headers: IncomingHttpHeaders;
  remoteAddress: string;
  /** When it came in, on the monotonic clock. */
  arrivedAtMs: number;
}

export interface WebAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

export type Handler = (request: WebRequest) => Promise<WebAnswer>;

/** Counts the requests that clients make of any process. */
export interface TokenLimiter {
  take(ownerId: string, rateClass: 'token'): RateVerdict | Promise<RateVerdict>;
}

/** How people can sign in, and for how long. */
export interface SignInWays {
  acceptsPasswords: boolean;
  /** A provider at which they sign in; null for none. */
  sso: SsoParts | null;
  sessionMs: number;
}

/** What all of them work with. */
export interface PageParts {
  database: Database;
  clock: Clock;
  log: Log;
  passwords: Passwords;
  connectors: ConnectorService;
  urls: Urls;
  /** Where people see the service, without a slash at the end. */
  publicUrl(): string;
  signIn: SignInWays;
  /** Null where nothing is limited. */
  limiter: TokenLimiter | null;
  /** Whether the first visitor from this machine may set the owner's password. */
  canBeSetUpHere: boolean;
}
