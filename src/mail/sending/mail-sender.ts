import { createTransport } from 'nodemailer';

/** How long the mail server may take, for each step. */
const stepMs = 10_000;

/** A mail of the service to one person. */
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  /** Names the mail: the same for every attempt to send it, so that receivers can drop repetitions. */
  id: string;
  /** Where answers go, if anywhere. */
  replyTo?: string;
}

/** What came of an attempt. */
export type MailOutcome =
  | { outcome: 'sent' }
  | { outcome: 'refused'; problem: string }
  | { outcome: 'failed'; problem: string; retryAfterMs: null };

export interface MailSender {
  /** One attempt. Resolves when the mail server has taken the mail, or has not. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
}

export interface MailServerAddress {
  /** `smtp://` or `smtps://`, with user name and password if needed. */
  url: string;
  /** The sender of all mail of the service. */
  from: string;
}

function describe(error: unknown): MailOutcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  // What the server says may repeat addresses; its code is enough for the log.
  const problem =
    responseCode === undefined ? `no mail server: ${code ?? 'unknown error'}` : `the mail server answered ${responseCode}`;
  if (responseCode !== undefined && responseCode >= 500) return { outcome: 'refused', problem };
  return { outcome: 'failed', problem, retryAfterMs: null };
}

/** Sends by the SMTP server of the operator, each mail on a connection of its own. */
export function createMailSender({ url, from }: MailServerAddress): MailSender {
  const transport = createTransport({
    url,
    ...{ connectionTimeout: stepMs, greetingTimeout: stepMs, socketTimeout: stepMs },
    // A mail has nothing but text.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ to, subject, text, id, replyTo }) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      try {
        await transport.sendMail({
          ...{ from, to: { name: '', address: to }, subject, text, headers },
          ...{ messageId: `<${id}@${domain}>`, ...(replyTo !== undefined && { replyTo }) },
        });
        return { outcome: 'sent' };
      } catch (error) {
        return describe(error);
      }
    },
  };
}
