import { inboxItemId, type InboxType, readInboxEvent } from '../inbox/inbox-item.ts';
import type { TaskEvent } from '../events/task-event.ts';
import { ownLanguageOf } from '../http/accept-language.ts';
import type { NoticeKind } from './notification-settings.ts';

/** What a notification shows. */
export interface Notice {
  title: string;
  body: string;
  /** The page that it opens, as a path. */
  path: string;
  /** Replaces an earlier notification with the same tag. */
  tag: string;
}

/** What happened to a task. */
export interface NoticeFacts {
  kind: NoticeKind;
  taskId: string;
  /** The event; 0 for the task itself. */
  seq: number;
  /** The comment that mentions the person; null or absent for none. */
  commentId?: string | null;
  taskTitle: string;
  /** Text of the item in the inbox, or of the comment; empty for none. */
  text: string;
  /** The address of who wrote the comment; null without one. */
  author?: string | null;
  /** Language of the person, a BCP 47 tag. */
  locale: string;
}

/** Longer texts are cut: a message must fit into what push services carry, whatever its characters. */
const [titleLength, bodyLength] = [80, 300];

const english: Readonly<Record<InboxType | 'finished' | 'assigned', string>> & {
  untitled: string;
  test: string;
  mentioned: string;
} = {
  question: 'Question',
  confirmation: 'Asks for permission',
  sign_in: 'Needs you to sign in',
  budget: 'Budget used up',
  failure: 'Failed',
  finished: 'Finished',
  assigned: 'Assigned to you',
  mentioned: 'Mentioned you',
  untitled: 'Task',
  test: 'Notifications reach this device.',
};
const chinese: typeof english = {
  question: '提问',
  confirmation: '请求许可',
  sign_in: '需要你登录',
  budget: '预算已用完',
  failure: '失败',
  finished: '已完成',
  assigned: '已指派给你',
  mentioned: '提到了你',
  untitled: '任务',
  test: '此设备可以收到通知。',
};
const german: typeof english = {
  question: 'Frage',
  confirmation: 'Bittet um Freigabe',
  sign_in: 'Anmeldung nötig',
  budget: 'Budget aufgebraucht',
  failure: 'Fehlgeschlagen',
  finished: 'Fertig',
  assigned: 'Neu zugewiesen',
  mentioned: 'Neue Erwähnung',
  untitled: 'Aufgabe',
  test: 'Benachrichtigungen erreichen dieses Gerät.',
};
const spanish: typeof english = {
  question: 'Pregunta',
  confirmation: 'Pide una aprobación',
  sign_in: 'Necesita que inicies sesión',
  budget: 'Presupuesto agotado',
  failure: 'Fallida',
  finished: 'Terminada',
  assigned: 'Asignada a ti',
  mentioned: 'Te ha mencionado',
  untitled: 'Tarea',
  test: 'Las notificaciones llegan a este dispositivo.',
};
const languages = { en: english, de: german, es: spanish, zh: chinese };

function cut(text: string, length: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  // A half of a character that was cut in two is dropped.
  return line.length <= length ? line : `${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The words of a notification. */
export function describeNotice(facts: NoticeFacts): Notice {
  const { kind, taskId, seq, commentId = null, taskTitle, text, author = null, locale } = facts;
  const words = languages[ownLanguageOf(locale)];
  if (kind === 'test' || kind === 'digest')
    return { title: 'Errand', body: words.test, path: '/settings/notifications', tag: kind };
  const title = cut(taskTitle, titleLength) || words.untitled;
  if (kind === 'finished') return { title, body: words.finished, path: `/app/${taskId}`, tag: taskId };
  if (commentId !== null) {
    const who = author === null ? words.mentioned : `${author} · ${words.mentioned}`;
    return { title, body: cut(`${who}: ${text}`, bodyLength), path: `/app/${taskId}#comment-${commentId}`, tag: commentId };
  }
  if (kind === 'assigned' && seq === 0) return { title, body: words.assigned, path: `/app/${taskId}`, tag: `${taskId}-assigned` };
  const id = inboxItemId(taskId, seq);
  return { title, body: cut(text === '' ? words[kind] : `${words[kind]}: ${text}`, bodyLength), path: `/inbox#${id}`, tag: id };
}

/** What of an event people are notified of; null for nothing. */
export function noticeKindOf(event: TaskEvent): NoticeKind | null {
  // Who stops a task knows that it ends.
  if (event.type === 'stopped') return event.by === 'agent' ? 'finished' : null;
  return readInboxEvent(event)?.type ?? null;
}
