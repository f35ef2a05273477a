import type { IncomingHttpHeaders } from 'node:http';
import type { AccountMail } from '../../api/contract/services/account-mail.ts';
import type { ConnectorService } from '../../api/contract/services/connector-service.ts';
import type { Urls } from '../../api/contract/urls.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Passwords } from '@errand/base/secrets/passwords.ts';
import type { RateVerdict } from '../../rules/instance/rate-window.ts';
import type { SsoParts } from '../../sso/sso-parts.ts';
import type { Database } from '../../store/db/database.ts';

/** Values by name, without empty ones. */
export type Fields = Readonly<Record<string, string>>;

/** A request as seen by pages and application endpoints. */
export interface WebRequest {
  method: 'GET' | 'POST';
  path: string;
  /** The raw query, without its question mark. */
  queryText: string;
  query: Fields;
  /** The fields of a form or JSON object; empty for a GET. */
  fields: Fields;
  /** The variable parts of the path. */
  params: Fields;
  headers: IncomingHttpHeaders;
  remoteAddress: string;
  /** Time of arrival on the monotonic clock. */
  arrivedAtMs: number;
}

export interface WebAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

export type Handler = (request: WebRequest) => Promise<WebAnswer>;

/** Counts client requests across all processes. */
export interface TokenLimiter {
  take(ownerId: string, rateClass: 'token'): RateVerdict | Promise<RateVerdict>;
}

/** How people can sign in, and for how long. */
export interface SignInWays {
  acceptsPasswords: boolean;
  /** The sign-in provider; null for none. */
  sso: SsoParts | null;
  sessionMs: number;
  /** Sends people links that set their password; null where the service sends no mail. */
  mail: AccountMail | null;
}

/** Shared dependencies of all handlers. */
export interface PageParts {
  database: Database;
  clock: Clock;
  log: Log;
  passwords: Passwords;
  connectors: ConnectorService;
  /** Opens the secrets of authenticator apps; null for a process without the secret of the instance. */
  seal: Pick<SealedBox, 'open'> | null;
  urls: Urls;
  /** The public URL of the service, without a trailing slash. */
  publicUrl(): string;
  signIn: SignInWays;
  /** Null without rate limits. */
  limiter: TokenLimiter | null;
  /** Whether the first visitor from this machine may set the owner's password. */
  canBeSetUpHere: boolean;
}
