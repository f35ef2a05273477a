import { chooseForm } from '../../rules/events/public-attachment.ts';
import type { Attachment, LoggedEvent, StoredFile } from '../../rules/events/task-event.ts';
import { chatText } from './chat-words.ts';
import type { Button } from '../platform/chat-platform.ts';

/** One item that an event adds to a chat. The same event always yields the same items, in the same order. */
export type NewsPart =
  | { kind: 'text'; markdown: string; piece?: number }
  /** Buttons below the message before this one. */
  | { kind: 'buttons'; markdown: string; buttons: readonly Button[] }
  | { kind: 'file'; file: StoredFile; fileKind: Attachment['kind'] };

const allowMark = 'y';
const alwaysMark = 'l';
const declineMark = 'n';
const answerMark = 'a';

/** What a button means. */
export type Press =
  | { kind: 'decide'; seq: number; isAccepted: boolean; isLasting: boolean }
  | { kind: 'answer'; seq: number; index: number };

/** Parses the value of a pressed button; null if it is not ours. */
export function readPress(data: string): Press | null {
  const [, mark = '', digits = '', index = ''] = /^([ynla])(\d{1,12})(?:\.(\d))?$/.exec(data) ?? [];
  const seq = Number(digits);
  if (mark === '') return null;
  if (mark === answerMark) return index === '' ? null : { kind: 'answer', seq, index: Number(index) };
  return { kind: 'decide', seq, isAccepted: mark !== declineMark, isLasting: mark === alwaysMark };
}

function listDecisions(seq: number, schema: Record<string, unknown>, locale: string): Button[] {
  const properties = Object.keys(schema.properties ?? {});
  const lasting = properties.some((name) => name !== 'accept');
  return [
    { label: chatText(locale, 'allow'), data: `${allowMark}${seq}` },
    ...(lasting ? [{ label: chatText(locale, 'always'), data: `${alwaysMark}${seq}` }] : []),
    { label: chatText(locale, 'decline'), data: `${declineMark}${seq}` },
  ];
}

/** The chat messages of an event. The user's own messages are not repeated. */
export function planNews({ seq, event }: LoggedEvent, locale: string): NewsPart[] {
  switch (event.type) {
    case 'assistant_message': {
      const text: NewsPart[] = event.text.trim() === '' ? [] : [{ kind: 'text', markdown: event.text }];
      // On a phone, a deck is opened in its native file format.
      const files = (event.attachments ?? []).map((attachment): NewsPart => {
        return { kind: 'file', file: chooseForm(attachment, 'pptx'), fileKind: attachment.kind };
      });
      return [...text, ...files];
    }
    case 'waiting': {
      const { question, action, suggestions = [] } = event;
      if (action) {
        const buttons = listDecisions(seq, action.schema, locale);
        return [
          { kind: 'text', markdown: question },
          { kind: 'buttons', markdown: question, buttons },
        ];
      }
      const buttons = suggestions.map((label, index) => ({ label, data: `${answerMark}${seq}.${index}` }));
      return buttons.length > 0 ? [{ kind: 'buttons', markdown: question, buttons }] : [];
    }
    case 'user_stopped':
      return [{ kind: 'text', markdown: chatText(locale, 'stopped') }];
    case 'error':
      return [{ kind: 'text', markdown: chatText(locale, 'failed', { problem: event.text }) }];
    default:
      return [];
  }
}

/** Whether the task is running after this event; null if the event does not say. */
export function readWorking({ event }: LoggedEvent): boolean | null {
  if (event.type === 'running') return true;
  return event.type === 'waiting' || event.type === 'stopped' || event.type === 'failed' ? false : null;
}
