import { chooseForm } from '../../rules/events/public-attachment.ts';
import type { Attachment, LoggedEvent, StoredFile } from '../../rules/events/task-event.ts';
import { chatText } from './chat-words.ts';
import type { Button } from '../platform/chat-platform.ts';

/** One thing that an event brings into a chat. The same event always brings the same, in the same order. */
export type NewsPart =
  | { kind: 'text'; markdown: string; piece?: number }
  /** Buttons below the message before this one. */
  | { kind: 'buttons'; markdown: string; buttons: readonly Button[] }
  | { kind: 'file'; file: StoredFile; fileKind: Attachment['kind'] };

const allowMark = 'y';
const alwaysMark = 'l';
const declineMark = 'n';
const answerMark = 'a';

/** What a button stands for. */
export type Press =
  | { kind: 'decide'; seq: number; isAccepted: boolean; isLasting: boolean }
  | { kind: 'answer'; seq: number; index: number };

/** Reads what came back from a button; null for what none of ours holds. */
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

/** What an event that readers may see says in a chat. What the person wrote they know already. */
export function planNews({ seq, event }: LoggedEvent, locale: string): NewsPart[] {
  switch (event.type) {
    case 'assistant_message': {
      const text: NewsPart[] = event.text.trim() === '' ? [] : [{ kind: 'text', markdown: event.text }];
      // A deck is opened on a phone as the file that its programs know.
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

/** Whether the task is at work after this event; null for one that says nothing of it. */
export function readWorking({ event }: LoggedEvent): boolean | null {
  if (event.type === 'running') return true;
  return event.type === 'waiting' || event.type === 'stopped' || event.type === 'failed' ? false : null;
}
