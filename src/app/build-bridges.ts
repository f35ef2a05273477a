import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { newId } from '@errand/base/ids.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import type { BridgeParts } from '../bridges/chats/bridge.ts';
import type { PlatformSettings } from '../bridges/chats/open-bridge.ts';
import type { Config } from '../config/config.ts';
import type { HttpService } from '../http/service/http-service.ts';
import { createContentAddresses } from '../rules/files/content-url.ts';
import type { StoredFile } from '../rules/events/task-event.ts';
import type { Database } from '../store/db/database.ts';
import { getInstanceValue } from '../store/instance/instance-values.ts';
import type { Content } from './open-content.ts';

export interface BridgesParts {
  config: Config;
  database: Database;
  content: Content;
  http: Pick<HttpService, 'inject'>;
  clock: Clock;
  log: Log;
}

/** Every address: the operator names the platforms, and a server of their own may stand beside the service. */
const everywhere = ['0.0.0.0/0', '::/0'];

function openBridgeHttpClient(url: string, clock: Clock) {
  return { httpClient: createSafeFetch({ allow: everywhere, clock }), allowHttp: url.startsWith('http:') };
}

/** An address on the content origin, of which a worker knows what the API process has written down. */
async function linkTo({ database, content, clock }: BridgesParts, accountId: string, file: StoredFile): Promise<string | null> {
  const { contentKey } = content;
  const baseUrl = await database.run(getInstanceValue, 'content_url');
  if (contentKey === null || baseUrl === null) return null;
  const { blobId, bytes, filename, contentType } = file;
  const addresses = createContentAddresses({ key: () => contentKey, now: () => clock.now(), baseUrl: () => baseUrl });
  return addresses.file({ accountId, blobId, bytes, filename, contentType });
}

/** What is configured of each platform; null for nothing at all. */
export function readPlatforms({ secrets, bridges }: Config, clock: Clock): PlatformSettings | null {
  const { telegramBotToken: token, slackBotToken: botToken, slackAppToken: appToken } = secrets;
  const { telegramUrl, slackUrl } = bridges;
  const telegram = token === null ? null : { ...openBridgeHttpClient(telegramUrl, clock), baseUrl: telegramUrl, token };
  const hasSlack = botToken !== null && appToken !== null;
  const slack = hasSlack ? { ...openBridgeHttpClient(slackUrl, clock), baseUrl: slackUrl, botToken, appToken } : null;
  return telegram === null && slack === null ? null : { telegram, slack };
}

/** The chat platforms of the configuration; nothing of them is loaded where there are none. */
export async function buildBridges(parts: BridgesParts): Promise<Service[]> {
  const { config, database, content, http, clock, log } = parts;
  const settings = readPlatforms(config, clock);
  if (settings === null) return [];
  const { openBridges } = await import('../bridges/chats/open-bridge.ts');
  const common: Omit<BridgeParts, 'platform'> = {
    database,
    clock,
    log,
    owner: newId(clock.now()),
    leaseMs: config.leaseTtlMs,
    isAlone: config.secrets.databaseUrl === null,
    act: ({ accountId, operation, body, idempotencyKey }) =>
      http.inject({ method: 'POST', path: `/v2/${operation}`, body, account: accountId, idempotencyKey }),
    openFile: (accountId, blobId) => content.blobs.open(accountId, blobId),
    linkTo: (accountId, file) => linkTo(parts, accountId, file),
  };
  return openBridges(settings, common);
}
