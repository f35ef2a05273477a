import type { HandlerServices } from '../../api/contract/operation.ts';
import type { PdfService } from '../../api/artifacts/pdf-service.ts';
import type { SharePictures } from '../../api/contract/services/share-pictures.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import type { OauthCredential, Plan } from '../../rules/accounts/access.ts';
import type { SignInWays } from '../../oauth/request/web-request.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import type { RateLimiter } from '../rate-limits/rate-limiter.ts';

/** The owner of an access token, and what it allows. */
export interface TokenOwner {
  accountId: string;
  plan: Plan;
  locale: string;
  via: OauthCredential;
}

export interface HttpSettings {
  host: string;
  /** Whether other processes of the same service listen on the same ports. */
  sharesPorts?: boolean;
  /** 0 picks a free port. */
  port: number;
  /** Public URL of the service, without a trailing slash; null if derived from host and port. */
  publicUrl: string | null;
  /** CIDR blocks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[];
  /** Origins whose pages may call the API. */
  corsOrigins: readonly string[];
  /** Port of the content origin; 0 picks a free one. */
  contentPort: number;
  /** Public URL of the content origin; null if derived from host and port. */
  contentUrl: string | null;
  /** Where servers in sandboxes are seen, with `*` for the name of one; null or absent if derived from the content origin. */
  previewUrl?: string | null;
  /** Families of API key headers and profile names. */
  headerFamilies: readonly string[];
  /** How long requests in progress may take to finish when the service stops. */
  drainMs: number;
  /** Path of the unix socket of the control server, null for none. */
  controlSocket: string | null;
}

/** Services for handlers that are built outside the servers. */
export type SuppliedServices = Pick<
  HandlerServices,
  | 'workspaceFiles'
  | 'webhooks'
  | 'passwords'
  | 'credits'
  | 'seal'
  | 'storageLimit'
  | 'brands'
  | 'skills'
  | 'connectors'
  | 'triggerSecrets'
  | 'notifications'
  | 'mailDomain'
  | 'watchRoots'
  | 'hasOpenings'
  | 'hasTeamSignUp'
  | 'usualRunningTasks'
  | 'models'
  | 'modelKeys'
  | 'accountArchives'
  | 'channel'
>;

export interface HttpParts {
  database: Database;
  clock: Clock;
  log: Log;
  /** Notified of every request. */
  gauge: LoadGauge;
  settings: HttpSettings;
  handlerServices: SuppliedServices;
  signIn: SignInWays;
  /** Null for no limits. */
  limiter: RateLimiter | null;
  blobs: Blobs;
  /** Converts office files to PDF for viewing. */
  pdfConversion: PdfService;
  /** Draws pictures of shared tasks for link previews. */
  sharePictures: SharePictures;
  /** The HTTP client for files that messages reference by URL. */
  httpClient: SafeFetch;
  /** The memory of this process for what others send, in bytes. */
  memory: FairGate;
  /** Signs URLs of the content origin; null if this process cannot. */
  contentKey: Uint8Array | null;
  /** Counts requests, shown at /metrics; optional. */
  metrics?: Metrics;
  activeModels(): Record<string, string>;
  /** Rejects while this process can store no files; optional. */
  proveFiles?(): Promise<void>;
  /** Path of the built web application, if not the default output of `npm run build`. */
  webFolder?: string;
  /** Looks up an access token by its value and digest; null if it is unknown, expired or revoked. */
  findTokenOwner(digest: string, token: string): Promise<TokenOwner | null>;
}
