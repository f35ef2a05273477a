import { Fault } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { TriggerAccess } from '../../api/triggers/delivery-ends.ts';
import { recordRefusal } from '../../api/triggers/receive-delivery.ts';
import { type ReadMail, receiveMail } from '../../api/triggers/receive-mail.ts';
import type { Database } from '../../store/db/database.ts';
import { type FoundTrigger, findTrigger, getTrigger } from '../../store/triggers/triggers.ts';
import type { MailReader } from '../reading/mail-reader.ts';
import type { ArrivedMail, MailDirectory, MailRecipient } from './mail-recipient.ts';
import { notNow, refusalOf, SmtpRefusal, tryAgain, uncheckedSender } from './smtp-refusal.ts';

export interface IntakeParts {
  database: Database;
  access: TriggerAccess;
  reader: MailReader;
  domain: string;
  log: Log;
}

/** The triggers whose mail becomes tasks. */
export function createMailIntake({ database, access, reader, domain, log }: IntakeParts): MailDirectory {
  const record = async (trigger: FoundTrigger, problem: string, signal: AbortSignal) => {
    await recordRefusal(trigger, {}, problem, access.open(trigger, signal));
  };

  /** Whether the trigger is active now; it may have been paused while the mail arrived. */
  const isActive = async ({ accountId, id }: FoundTrigger) =>
    (await database.run(getTrigger, { accountId, triggerId: id })).status === 'active';

  async function deliver(trigger: FoundTrigger, mail: ReadMail, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await receiveMail(trigger, mail, access.open(trigger, signal));
      if (outcome === 'undecided') throw uncheckedSender();
      log.info({ trigger_id: trigger.id, outcome, bytes: mail.body.size_bytes }, 'a mail has reached its trigger');
    } catch (error) {
      const isKnown = error instanceof Fault || error instanceof SmtpRefusal;
      if (!isKnown) log.error({ err: error, trigger_id: trigger.id }, 'a mail could not be stored');
      const isPaused = error instanceof Fault && error.code === 'failed_precondition' && !(await isActive(trigger));
      throw isPaused ? notNow() : refusalOf(error);
    }
  }

  async function receive(trigger: FoundTrigger, mail: ArrivedMail, signal: AbortSignal): Promise<void> {
    let read: ReadMail;
    try {
      read = await reader.read({ ...mail, ownDomain: domain }, trigger.accountId, signal);
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) {
        log.error({ err: error }, 'a mail could not be read');
        throw tryAgain();
      }
      await record(trigger, error.message, signal);
      throw refusalOf(error);
    }
    await deliver(trigger, read, signal);
  }

  const recipientOf = (trigger: FoundTrigger): MailRecipient => ({
    owner: trigger.accountId,
    receive: (mail, signal) => receive(trigger, mail, signal),
    refuse: (problem, signal) => record(trigger, problem, signal),
  });

  return {
    async find(token) {
      if (!/^[0-9a-f]{40}$/.test(token)) return null;
      const trigger = await database.run(findTrigger, { type: 'email', tokenDigest: digestSecret(token) });
      if (!trigger) return null;
      if (trigger.status !== 'active') throw notNow();
      await access.count(trigger);
      return recipientOf(trigger);
    },
  };
}
