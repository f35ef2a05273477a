import { hash } from 'node:crypto';
import { Fault } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import type { ReadMail } from '../../api/triggers/receive-mail.ts';
import { inboxItemId } from '../../rules/inbox/inbox-item.ts';
import { decisionOf, readReplyText } from '../../rules/inbox/mail-reply.ts';
import { readReplyAddress, type ReplyItem } from '../../rules/inbox/reply-address.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import type { Database } from '../../store/db/database.ts';
import { readItemContent } from '../../store/inbox/item-content.ts';
import type { MailReader } from '../reading/mail-reader.ts';
import type { MailDirectory } from './mail-recipient.ts';
import { refusalOf, SmtpRefusal, tryAgain, uncheckedSender } from './smtp-refusal.ts';

/** Calls `inbox.decide` with the rights of an account. */
export type DecideByMail = (decision: {
  accountId: string;
  body: Record<string, unknown>;
  /** Derived from the mail, so a mail delivered twice decides once. */
  idempotencyKey: string;
}) => Promise<{ status: number; body: Record<string, unknown> }>;

export interface ReplyParts {
  database: Database;
  reader: MailReader;
  decide: DecideByMail;
  domain: string;
  /** Signs the addresses of this instance. */
  key: Uint8Array;
  log: Log;
}

/** A mail that decides nothing; its sender reads why. */
const refuse = (problem: string) => new SmtpRefusal(554, problem);

/** The address is as secret as the mail that names it; the author must not be shown to be somebody else either. */
function checkAuthor({ body, loop }: ReadMail): void {
  if (loop !== null) throw refuse(loop);
  const { spf, dkim, dmarc } = body;
  if ([spf, dkim, dmarc].includes('temperror')) throw uncheckedSender();
  if (dmarc === 'fail' || (spf === 'fail' && dkim !== 'pass'))
    throw refuse('The address of the author is not proven (SPF, DKIM).');
}

function checkOutcome({ status, body }: Awaited<ReturnType<DecideByMail>>): void {
  if (status === 200) return;
  if (status === 429 || status >= 500) throw tryAgain();
  const { message = '' } = (body['error'] ?? {}) as { message?: string };
  throw refuse(message);
}

/** The addresses that notifications ask to be answered at: each takes the reply of a person who may decide its item. */
export function createReplyIntake({ database, reader, decide, domain, key, log }: ReplyParts): MailDirectory {
  /** The account with this address, and what the item asks of it; rejects if there is none, or it cannot see the item. */
  async function findAsked({ taskId, seq }: ReplyItem, from: string) {
    const account = from.includes('@') ? await database.run(findAccount, from) : null;
    const item = account && (await readItemContent(database, { accountId: account.accountId, taskId, seq }));
    if (!account || !item) throw refuse('Only whom the mail was sent to can reply, from the same address.');
    if (item.type === null) throw refuse('The task has nothing to be decided there.');
    return { accountId: account.accountId, type: item.type };
  }

  async function take(item: ReplyItem, mail: ReadMail): Promise<void> {
    checkAuthor(mail);
    const { accountId, type } = await findAsked(item, mail.body.from);
    const words = readReplyText(mail.body.text);
    if (words === '') throw refuse('The reply has no text above the mail that it quotes.');
    const body = { id: inboxItemId(item.taskId, item.seq), ...decisionOf(type, words) };
    checkOutcome(await decide({ accountId, body, idempotencyKey: `mail:${hash('sha256', mail.body.message_id)}` }));
    log.info({ task_id: item.taskId, bytes: mail.body.size_bytes }, 'a reply by mail has decided an item of the inbox');
  }

  return {
    async find(localPart) {
      const item = readReplyAddress(key, localPart);
      if (!item) return null;
      const owner = `replies ${item.taskId}`;
      return {
        owner,
        async receive(mail, signal) {
          try {
            await take(item, await reader.read({ ...mail, ownDomain: domain }, owner, signal));
          } catch (error) {
            if (!(error instanceof Fault) && !(error instanceof SmtpRefusal))
              log.error({ err: error }, 'a reply could not be taken');
            throw refusalOf(error);
          }
        },
        refuse: () => Promise.resolve(),
      };
    },
  };
}
