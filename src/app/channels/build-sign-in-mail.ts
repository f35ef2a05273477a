import type { MailSender } from '../../mail/sending/mail-sender.ts';
import type { Runtime } from '../runtime.ts';

/** Mails links to people who forgot their password; null without a mail server. The code is loaded with the first mail. */
export function buildSignInMail({ config }: Pick<Runtime, 'config'>): MailSender | null {
  const { outgoingMail, secrets } = config;
  const { mailServer: url } = secrets;
  if (url === null || outgoingMail === null) return null;
  const { from } = outgoingMail;
  let opened: Promise<MailSender> | null = null;
  const open = () =>
    (opened ??= import('../../mail/sending/mail-sender.ts').then(({ createMailSender }) => createMailSender({ url, from })));
  return { send: async (mail) => (await open()).send(mail) };
}
