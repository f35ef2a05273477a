import { repliedTypes } from '../../rules/inbox/mail-reply.ts';
import type { ReplyItem } from '../../rules/inbox/reply-address.ts';
import { describeDigestMail, describeNoticeMail, type ReplyHint } from '../../rules/notifications/notice-mail.ts';
import type { Database } from '../../store/db/database.ts';
import { getInstanceValue } from '../../store/instance/instance-values.ts';
import type { ClaimedNotice } from '../../store/notifications/notification-claims.ts';
import { getDigestContent, type NoticeContent } from '../../store/notifications/notification-content.ts';
import type { SendOutcome } from './push-sender.ts';

/** One attempt to send a mail: the port of `src/mail/sending`. */
export interface MailPort {
  send(mail: { to: string; subject: string; text: string; id: string; replyTo?: string }): Promise<SendOutcome>;
}

/** Sends notifications and digests as mail. */
export interface NoticeMailer {
  send(notice: ClaimedNotice, content: NoticeContent): Promise<SendOutcome>;
}

export interface NoticeMailerParts {
  database: Database;
  mail: MailPort;
  /** The address that takes replies about an item; null where no mail is received. */
  replyAddressOf: ((item: ReplyItem) => string) | null;
}

export function createNoticeMailer({ database, mail, replyAddressOf }: NoticeMailerParts): NoticeMailer {
  const planReply = ({ taskId, seq }: ClaimedNotice, { type }: NoticeContent): { replyTo?: string; hint: ReplyHint } => {
    if (replyAddressOf === null || type === null || !repliedTypes.includes(type)) return { hint: 'none' };
    return { replyTo: replyAddressOf({ taskId, seq }), hint: type === 'confirmation' ? 'choice' : 'words' };
  };

  return {
    async send(notice, content) {
      const baseUrl = await database.run(getInstanceValue, 'base_url');
      // The service has never been started with a public server: there is nothing to link to yet.
      if (baseUrl === null) return { outcome: 'failed', problem: 'the URL of the service is not known yet', retryAfterMs: null };
      const { hint, ...reply } = planReply(notice, content);
      const words =
        notice.kind === 'digest'
          ? describeDigestMail(
              await database.run(getDigestContent, { accountId: notice.accountId, sinceMs: notice.seq }),
              content.locale,
              baseUrl,
            )
          : describeNoticeMail({ ...notice, ...content }, baseUrl, hint);
      if (!words) return { outcome: 'sent' };
      return mail.send({ ...words, ...reply, to: content.email, id: notice.id });
    },
  };
}
