import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { notificationsKey } from '@errand/base/signals/hints.ts';
import { Worker } from '@errand/base/worker.ts';
import { describeNotice } from '../../rules/notifications/notice.ts';
import type { NoticeKind } from '../../rules/notifications/notification-settings.ts';
import type { Database } from '../../store/db/database.ts';
import { claimNotices, type ClaimedNotice, endNotice } from '../../store/notifications/notification-claims.ts';
import { emailTarget, readChatTarget } from '../../store/notifications/notification-targets.ts';
import { getNoticeContent, type NoticeContent } from '../../store/notifications/notification-content.ts';
import { endSubscription, findSubscription } from '../../store/notifications/push-subscriptions.ts';
import type { NoticeMailer } from './notice-mailer.ts';
import type { PushSender, SendOutcome } from './push-sender.ts';

/** Time between rounds without hints. The next due time is known, so this only makes up for lost hints. */
const pollMs = 30_000;
/** Pause after another worker may have taken what was due. */
const againMs = 250;
/** Notifications that are sent at once. */
const concurrency = 32;
/** Longer than an attempt takes; after it, another worker tries. */
const leaseMs = 60_000;
/** Delays after failed attempts; after the last, a notification is old news. */
const retryDelaysMs = [30_000, 120_000, 600_000, 3_600_000] as const;

/** What a device that saves energy shows at once: somebody is waited for. */
const urgentKinds = new Set<NoticeKind>(['question', 'confirmation', 'sign_in', 'budget', 'assigned', 'test']);

/** Sends notifications to linked chats. */
export interface ChatNotifier {
  /** The platforms that it can send to. */
  platforms: readonly string[];
  send(chatId: string, notice: ClaimedNotice, content: NoticeContent, signal: AbortSignal): Promise<SendOutcome>;
}

export interface NotificationWorkerParts {
  database: Database;
  clock: Clock;
  log: Log;
  push: PushSender;
  /** Null where no mail server is configured. */
  mailer: NoticeMailer | null;
  /** Null without a chat platform. */
  chats: ChatNotifier | null;
  /** How long a shutdown waits for attempts in progress. */
  drainMs: number;
}

/** Sends notifications to where people want them. */
export class NotificationWorker extends Worker {
  readonly #parts: NotificationWorkerParts;
  #sending = 0;

  constructor(parts: NotificationWorkerParts) {
    const { database, clock, log, drainMs } = parts;
    const hint = { hints: database.hints, key: notificationsKey };
    super({ name: 'notification-worker', clock, log, pollMs, hint, drainMs, failure: 'notifications could not be claimed' });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    const { database, mailer, chats } = this.#parts;
    const slots = concurrency - this.#sending;
    const { notices, hasMore, nextInMs } = await database.run(claimNotices, {
      slots,
      leaseMs,
      hasMail: mailer !== null,
      platforms: chats?.platforms ?? [],
    });
    for (const notice of notices) this.#begin(notice);
    if (nextInMs !== null) this.wakeIn(nextInMs > 0 ? nextInMs : againMs);
    // Without a free slot, the end of an attempt claims again.
    return hasMore && this.#sending < concurrency;
  }

  #begin(notice: ClaimedNotice): void {
    this.#sending += 1;
    const sent = this.#send(notice).finally(() => {
      this.#sending -= 1;
      if (this.#sending === concurrency - 1) this.wakeIn(1);
    });
    this.track(sent);
  }

  /** One attempt. If the service itself fails, another is made when the lease has expired. */
  async #send(notice: ClaimedNotice): Promise<void> {
    const { database, log } = this.#parts;
    try {
      const content = await database.run(getNoticeContent, notice);
      const result = content ? await this.#deliver(notice, content) : ({ outcome: 'gone' } as const);
      if (this.signal.aborted && result.outcome === 'failed') return;
      if (result.outcome === 'refused' || result.outcome === 'failed') {
        log.warn({ notification_id: notice.id, tries: notice.tries, problem: result.problem }, 'a notification was not sent');
      }
      const { accountId, id, fence } = notice;
      await database.run(endNotice, { accountId, id, fence, retryInMs: planNoticeRetry(notice.tries, result) });
    } catch (error) {
      log.warn({ err: error, notification_id: notice.id }, 'a notification could not be sent; it is tried again');
    }
  }

  async #deliver(notice: ClaimedNotice, content: NoticeContent): Promise<SendOutcome> {
    const { accountId, kind, target } = notice;
    const { database, mailer, chats, push, clock } = this.#parts;
    const chatId = readChatTarget(target);
    if (chatId !== null) return (await chats?.send(chatId, notice, content, this.signal)) ?? { outcome: 'gone' };
    if (target === emailTarget) return (await mailer?.send(notice, content)) ?? { outcome: 'gone' };
    const found = await database.run(findSubscription, { accountId, id: target, now: clock.now() });
    if (!found) return { outcome: 'gone' };
    const message = describeNotice({ ...notice, ...content });
    const result = await push.send({ id: target, sealed: found.target }, message, urgentKinds.has(kind), this.signal);
    if (result.outcome === 'gone') await database.run(endSubscription, { accountId, id: target });
    return result;
  }
}

/** When the next attempt is made; null for none. `tries` counts the one that was made. */
function planNoticeRetry(tries: number, result: SendOutcome): number | null {
  if (result.outcome !== 'failed') return null;
  const delayMs = retryDelaysMs[tries - 1];
  if (delayMs === undefined) return null;
  return Math.min(Math.max(delayMs, result.retryAfterMs ?? 0), 2 * delayMs);
}
