import { Fault } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import type { MailJob } from '../reading/read-mail.ts';
import { nobodyThere, SmtpRefusal } from './smtp-refusal.ts';

/** A mail as it came, and which server has sent it. */
export type ArrivedMail = Omit<MailJob, 'ownDomain'>;

/** The owner of an address at this service. */
export interface MailRecipient {
  /** Mails of different owners take turns when they wait for memory or threads. */
  owner: string;
  /** Resolves when all that the mail leads to is stored; rejects with what its sender is told. */
  receive(mail: ArrivedMail, signal: AbortSignal): Promise<void>;
  /** Records why a mail was refused before it was read. */
  refuse(problem: string, signal: AbortSignal): Promise<void>;
}

/** Finds recipients. Rejects with what a sender is told of an address that takes no mail; null for one that is another's to know. */
export interface MailDirectory {
  find(localPart: string): Promise<MailRecipient | null>;
}

/** The part of an address before the @, in lower case; null for one of another domain. */
function localPartOf(address: string, domain: string): string | null {
  const at = address.lastIndexOf('@');
  return address.slice(at + 1).toLowerCase() === domain ? address.slice(0, at).toLowerCase() : null;
}

interface SearchParts {
  directories: readonly MailDirectory[];
  settings: { domain: string };
  log: Log;
}

/** Finds the recipient of an address; rejects with what the sender is told if the address is unknown or takes no mail now. */
export async function findRecipient(address: string, { directories, settings, log }: SearchParts): Promise<MailRecipient> {
  const localPart = localPartOf(address, settings.domain);
  if (localPart === null) throw nobodyThere();
  try {
    for (const directory of directories) {
      const recipient = await directory.find(localPart);
      if (recipient) return recipient;
    }
  } catch (error) {
    if (!(error instanceof Fault) && !(error instanceof SmtpRefusal))
      log.error({ err: error }, 'an address could not be looked up');
    throw error;
  }
  throw nobodyThere();
}
