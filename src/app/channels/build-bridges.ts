import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import type { BridgeParts } from '../../bridges/chats/bridge.ts';
import type { PlatformSettings } from '../../bridges/chats/open-bridge.ts';
import type { Config } from '../../config/config.ts';
import type { HttpService } from '../../http/service/http-service.ts';
import { createContentAddresses } from '../../rules/files/content-url.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import { getInstanceValue } from '../../store/instance/instance-values.ts';
import type { ChatNotifier } from '../../work/notifications/notification-worker.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';

/** Allows every address: the operator configures the platforms, and a self-hosted one may run next to the service. */
const everywhere = ['0.0.0.0/0', '::/0'];

function openBridgeHttpClient(url: string, clock: Clock) {
  return { httpClient: createSafeFetch({ allow: everywhere, clock }), allowHttp: url.startsWith('http:') };
}

/** A URL on the content origin, which a worker knows from the API process's record. */
async function linkTo(
  { database, contentKey }: Stores,
  clock: Clock,
  accountId: string,
  file: StoredFile,
): Promise<string | null> {
  const baseUrl = await database.run(getInstanceValue, 'content_url');
  if (contentKey === null || baseUrl === null) return null;
  const { blobId, bytes, filename, contentType } = file;
  const addresses = createContentAddresses({ key: () => contentKey, now: () => clock.now(), baseUrl: () => baseUrl });
  return addresses.file({ accountId, blobId, bytes, filename, contentType });
}

/** The configured platforms; null for none. */
export function readPlatforms({ secrets, bridges }: Config, clock: Clock): PlatformSettings | null {
  const { telegramBotToken: token, slackBotToken: botToken, slackAppToken: appToken } = secrets;
  const { telegramUrl, slackUrl } = bridges;
  const telegram = token === null ? null : { ...openBridgeHttpClient(telegramUrl, clock), baseUrl: telegramUrl, token };
  const hasSlack = botToken !== null && appToken !== null;
  const slack = hasSlack ? { ...openBridgeHttpClient(slackUrl, clock), baseUrl: slackUrl, botToken, appToken } : null;
  return telegram === null && slack === null ? null : { telegram, slack };
}

/** The configured chat platforms; without any, none of their code is loaded. */
export async function buildBridges(
  { config, clock, log }: Runtime,
  stores: Stores,
  http: Pick<HttpService, 'inject'>,
): Promise<Service[]> {
  const settings = readPlatforms(config, clock);
  if (settings === null) return [];
  const { openBridges } = await import('../../bridges/chats/open-bridge.ts');
  const common: Omit<BridgeParts, 'platform'> = {
    database: stores.database,
    clock,
    log,
    owner: newId(clock.now()),
    leaseMs: config.leaseTtlMs,
    isAlone: stores.isAlone,
    act: ({ accountId, chatId, operation, body, idempotencyKey }) =>
      http.inject({ method: 'POST', path: `/v2/${operation}`, body, account: accountId, chatId, idempotencyKey }),
    openFile: (accountId, blobId) => stores.blobs.open(accountId, blobId),
    findBaseUrl: () => stores.database.run(getInstanceValue, 'base_url'),
    linkTo: (accountId, file) => linkTo(stores, clock, accountId, file),
  };
  return openBridges(settings, common);
}

/** Sends notifications to linked chats, from any process; null without a platform. */
export async function buildChatNotifier({ config, clock, log }: Runtime, { database }: Stores): Promise<ChatNotifier | null> {
  const settings = readPlatforms(config, clock);
  if (settings === null) return null;
  const [{ openPlatforms }, { findNoticeChat, sendNotice, toChatNotice }] = await Promise.all([
    import('../../bridges/chats/open-bridge.ts'),
    import('../../bridges/chats/chat-notifier.ts'),
  ]);
  const platforms = openPlatforms(settings, { clock, log });
  return {
    platforms: platforms.map(({ name }) => name),
    async send(chatId, notice, content, signal) {
      const found = await findNoticeChat(platforms, database, { accountId: notice.accountId, chatId });
      if (!found) return { outcome: 'gone' };
      const baseUrl = await database.run(getInstanceValue, 'base_url');
      return sendNotice(found.platform, found.chat, toChatNotice(notice, content, baseUrl ?? ''), { database, signal });
    },
  };
}
