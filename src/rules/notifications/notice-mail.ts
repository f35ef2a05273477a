import { ownLanguageOf } from '../http/accept-language.ts';
import { describeNotice, type NoticeFacts } from './notice.ts';

/** The words of a mail. */
export interface NoticeMail {
  subject: string;
  text: string;
}

interface ListedTask {
  id: string;
  title: string;
}

/** What a digest tells. */
export interface DigestFacts {
  finished: readonly ListedTask[];
  failed: readonly ListedTask[];
  waiting: readonly ListedTask[];
}

const english = {
  digest: 'Your tasks',
  waiting: 'Waiting for you',
  failed: 'Failed',
  finished: 'Finished',
  untitled: 'Task',
  settings: 'Choose what you are notified of:',
  reply: 'Reply to this mail to answer.',
  replyChoice: 'Reply “yes” to allow it, or “no” to deny it.',
};
const chinese: typeof english = {
  digest: '你的任务',
  waiting: '等待你处理',
  failed: '失败',
  finished: '已完成',
  untitled: '任务',
  settings: '选择接收哪些通知：',
  reply: '直接回复此邮件即可作答。',
  replyChoice: '回复“是”表示允许，回复“否”表示拒绝。',
};
const german: typeof english = {
  digest: 'Aufgaben',
  waiting: 'Wartet auf Antwort',
  failed: 'Fehlgeschlagen',
  finished: 'Fertig',
  untitled: 'Aufgabe',
  settings: 'Benachrichtigungen auswählen:',
  reply: 'Antworte auf diese E-Mail, um zu antworten.',
  replyChoice: 'Antworte „ja“, um es zu erlauben, oder „nein“, um es abzulehnen.',
};
const spanish: typeof english = {
  digest: 'Tus tareas',
  waiting: 'Te espera',
  failed: 'Fallidas',
  finished: 'Terminadas',
  untitled: 'Tarea',
  settings: 'Elige de qué quieres recibir avisos:',
  reply: 'Responde a este correo para contestar.',
  replyChoice: 'Responde «sí» para permitirlo o «no» para denegarlo.',
};
const languages = { en: english, de: german, es: spanish, zh: chinese };

function wordsOf(locale: string): typeof english {
  return languages[ownLanguageOf(locale)];
}

const settingsPath = '/settings/notifications';

/** How a mail about an item can be answered. */
export type ReplyHint = 'none' | 'words' | 'choice';

/** The mail of one notification. `baseUrl` is the public URL of the service, without a slash at its end. */
export function describeNoticeMail(facts: NoticeFacts, baseUrl: string, hint: ReplyHint = 'none'): NoticeMail {
  const { title, body, path } = describeNotice(facts);
  const words = wordsOf(facts.locale);
  const reply = { none: '', words: `${words.reply}\n\n`, choice: `${words.replyChoice}\n\n` }[hint];
  const text = `${body}\n\n${baseUrl}${path}\n\n${reply}--\n${words.settings} ${baseUrl}${settingsPath}\n`;
  return { subject: facts.kind === 'test' ? title : `${title}: ${body}`.slice(0, 150).toWellFormed(), text };
}

/** The mail of a digest; null if there is nothing to tell. */
export function describeDigestMail(facts: DigestFacts, locale: string, baseUrl: string): NoticeMail | null {
  const words = wordsOf(locale);
  const groups = (['waiting', 'failed', 'finished'] as const).filter((group) => facts[group].length > 0);
  if (groups.length === 0) return null;
  const describe = ({ id, title }: ListedTask) =>
    `- ${title.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() || words.untitled}\n  ${baseUrl}/app/${id}`;
  const parts = groups.map((group) => [words[group], ...facts[group].map(describe)].join('\n'));
  const subject = `${words.digest}: ${groups.map((group) => `${facts[group].length} ${words[group].toLowerCase()}`).join(', ')}`;
  return { subject, text: `${parts.join('\n\n')}\n\n--\n${words.settings} ${baseUrl}${settingsPath}\n` };
}
