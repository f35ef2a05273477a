import type { Service } from '@errand/base/service-lifecycle.ts';
import type { ReplyItem } from '../../rules/inbox/reply-address.ts';
import { pushServerKey } from '../../rules/notifications/push-message.ts';
import { getInstanceValue } from '../../store/instance/instance-values.ts';
import { buildChatNotifier, readPlatforms } from './build-bridges.ts';
import type { Services } from '../build-services.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';

/** What the API says about notifications. */
export function describeNotifications(
  { config, clock }: Pick<Runtime, 'config' | 'clock'>,
  { pushKey }: Pick<Stores, 'pushKey'>,
) {
  return {
    pushKey: pushKey && pushServerKey(pushKey),
    hasMail: config.outgoingMail !== null,
    hasChats: readPlatforms(config, clock) !== null,
  };
}

/** The addresses for replies to notifications, if mail is received. */
async function openReplyAddresses({ config }: Runtime, { contentKey: key }: Stores) {
  if (config.mail === null || key === null) return null;
  const { domain } = config.mail;
  const { makeReplyAddress } = await import('../../rules/inbox/reply-address.ts');
  return (item: ReplyItem) => `${makeReplyAddress(key, item)}@${domain}`;
}

/** Builds the senders of notifications; none in a process that cannot decrypt their receivers. */
export async function buildNotifications(
  runtime: Runtime,
  stores: Stores,
  { httpClient }: Pick<Services, 'httpClient'>,
): Promise<Service[]> {
  const { config, clock, log } = runtime;
  const { database, box, pushKey } = stores;
  if (!box || !pushKey) return [];
  const [{ NotificationWorker }, { createPushSender }, { createNoticeMailer }] = await Promise.all([
    import('../../work/notifications/notification-worker.ts'),
    import('../../work/notifications/push-sender.ts'),
    import('../../work/notifications/notice-mailer.ts'),
  ]);
  const baseUrl = () => database.run(getInstanceValue, 'base_url');
  const contact = `mailto:${config.outgoingMail?.from ?? config.bootstrapEmail}`;
  const push = createPushSender({
    ...{ httpClient, box, privateKey: pushKey, clock, acceptsHttp: config.acceptsHttpWebhooks },
    async subject() {
      const url = await baseUrl();
      return url?.startsWith('https:') ? url : contact;
    },
  });
  const { mailServer: url } = config.secrets;
  const { outgoingMail } = config;
  const mailer =
    url === null || outgoingMail === null
      ? null
      : createNoticeMailer({
          database,
          replyAddressOf: await openReplyAddresses(runtime, stores),
          mail: (await import('../../mail/sending/mail-sender.ts')).createMailSender({ url, from: outgoingMail.from }),
        });
  const chats = await buildChatNotifier(runtime, stores);
  return [new NotificationWorker({ database, clock, log, push, mailer, chats, drainMs: config.drainMs })];
}
