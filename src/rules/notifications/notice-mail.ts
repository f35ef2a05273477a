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
};
const chinese: typeof english = {
  digest: '你的任务',
  waiting: '等待你处理',
  failed: '失败',
  finished: '已完成',
  untitled: '任务',
  settings: '选择接收哪些通知：',
};
const german: typeof english = {
  digest: 'Aufgaben',
  waiting: 'Wartet auf Antwort',
  failed: 'Fehlgeschlagen',
  finished: 'Fertig',
  untitled: 'Aufgabe',
  settings: 'Benachrichtigungen auswählen:',
};
const spanish: typeof english = {
  digest: 'Tus tareas',
  waiting: 'Te espera',
  failed: 'Fallidas',
  finished: 'Terminadas',
  untitled: 'Tarea',
  settings: 'Elige de qué quieres recibir avisos:',
};
const languages = { en: english, de: german, es: spanish, zh: chinese };

function wordsOf(locale: string): typeof english {
  return languages[ownLanguageOf(locale)];
}

const settingsPath = '/settings/notifications';

/** The mail of one notification. `baseUrl` is the public URL of the service, without a slash at its end. */
export function describeNoticeMail(facts: NoticeFacts, baseUrl: string): NoticeMail {
  const { title, body, path } = describeNotice(facts);
  const text = `${body}\n\n${baseUrl}${path}\n\n--\n${wordsOf(facts.locale).settings} ${baseUrl}${settingsPath}\n`;
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
