import type { HandlerServices } from '../../api/contract/operation.ts';
import type { PdfService } from '../../api/artifacts/pdf-service.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import type { OauthCredential, Plan } from '../../rules/accounts/access.ts';
import type { SignInWays } from '../../oauth/request/web-request.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import type { RateLimiter } from '../rate-limits/rate-limiter.ts';

/** Whose access token this is, and what it allows. */
export interface TokenOwner {
  accountId: string;
  plan: Plan;
  locale: string;
  via: OauthCredential;
}

export interface HttpSettings {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Where clients see the service, without a slash at the end; null where it follows from host and port. */
  publicUrl: string | null;
  /** CIDR blocks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Of the content origin; 0 takes any free one. */
  contentPort: number;
  /** Where clients see the content origin; null where it follows from host and port. */
  contentUrl: string | null;
  /** Families of API key headers and profile names. */
  headerFamilies: readonly string[];
  /** Path of the unix socket of the control server, null for none. */
  controlSocket: string | null;
}

/** The services of handlers that are built outside the servers. */
export type SuppliedServices = Pick<
  HandlerServices,
  'workspaceFiles' | 'webhooks' | 'passwords' | 'credits' | 'skills' | 'connectors'
>;

export interface HttpParts {
  database: Database;
  clock: Clock;
  log: Log;
  /** Receives every request. */
  gauge: LoadGauge;
  settings: HttpSettings;
  handlerServices: SuppliedServices;
  signIn: SignInWays;
  /** Null where nothing is limited. */
  limiter: RateLimiter | null;
  blobs: Blobs;
  /** Converts office files to PDF for viewing. */
  pdfConversion: PdfService;
  /** The HTTP client for files that messages reference by URL. */
  httpClient: SafeFetch;
  /** Signs URLs of the content origin; null if this process cannot. */
  contentKey: Uint8Array | null;
  /** Counts requests, shown at /metrics; optional. */
  metrics?: Metrics;
  activeModels(): Record<string, string>;
  /** Where the built web application lies, instead of the place where `npm run build` leaves it. */
  webFolder?: string;
  /** Whose access token this is, by the token and its digest; null when it is unknown, expired or revoked. */
  findTokenOwner(digest: string, token: string): Promise<TokenOwner | null>;
}
