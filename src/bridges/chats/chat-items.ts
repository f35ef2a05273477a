import type { InboxType } from '../../rules/inbox/inbox-item.ts';
import type { Button } from '../platform/chat-platform.ts';
import { type ChatWord, chatText } from './chat-words.ts';

/** An item of the inbox in a chat. */
export interface ChatItem {
  id: string;
  type: InboxType;
  /** Answers that a question suggests. */
  suggestions: readonly string[];
}

const marks = { accept: 'y', decline: 'n', answer: 'a', delegate: 'g', member: 'm' } as const;
type Choice = keyof typeof marks;

/** What a button below an item means. */
export interface ItemPress {
  choice: Choice;
  itemId: string;
  /** Which of the suggestions. */
  index: number;
  /** The account that the item is delegated to; empty for other choices. */
  memberId: string;
}

/** Suggestions and members that have a button. */
const mostButtons = 8;

/** At most 64 bytes, which is all that Telegram takes. */
function writeData(choice: Choice, itemId: string, which: string | number = 0): string {
  return `i${marks[choice]}${itemId}.${which}`;
}

/** Parses the value of a pressed button; null if it is not below an item. */
export function readItemPress(data: string): ItemPress | null {
  const pattern = /^i([ynagm])([0-9A-Za-z]{22}-\d{1,9})\.(?:(\d{1,2})|([0-9A-Za-z]{22}))$/;
  const [, mark = '', itemId = '', index = '', memberId = ''] = pattern.exec(data) ?? [];
  const choice = (Object.keys(marks) as Choice[]).find((one) => marks[one] === mark);
  return choice ? { choice, itemId, index: Number(index), memberId } : null;
}

/** The item that a notification in a chat is about; null for a text that is none. */
export function findItemId(text: string): string | null {
  return /\/inbox#([0-9A-Za-z]{22}-\d{1,9})\b/.exec(text)?.[1] ?? null;
}

/** The words of accepting and of declining, by the kind of item. A sign-in is made in the web application. */
const choices: Readonly<Record<InboxType, readonly [accept: ChatWord | null, decline: ChatWord | null]>> = {
  question: [null, null],
  confirmation: ['allow', 'decline'],
  sign_in: [null, 'decline'],
  budget: [null, 'end'],
  failure: ['tryAgain', 'dismiss'],
};

/** The outcomes of accepting and declining. */
const outcomes: Readonly<Record<InboxType, readonly [accepted: ChatWord, declined: ChatWord]>> = {
  question: ['settled', 'settled'],
  confirmation: ['allowed', 'declined'],
  sign_in: ['settled', 'declined'],
  budget: ['settled', 'ended'],
  failure: ['again', 'dismissed'],
};

/** How an item can be decided, below its message. */
export function listChoices({ id, type, suggestions }: ChatItem, locale: string, canDelegate: boolean): Button[] {
  const [accept, decline] = choices[type];
  return [
    ...suggestions.slice(0, mostButtons).map((label, index) => ({ label, data: writeData('answer', id, index) })),
    ...(accept === null ? [] : [{ label: chatText(locale, accept), data: writeData('accept', id) }]),
    ...(decline === null ? [] : [{ label: chatText(locale, decline), data: writeData('decline', id) }]),
    ...(canDelegate ? [{ label: chatText(locale, 'delegate'), data: writeData('delegate', id) }] : []),
  ];
}

/** Somebody who can be asked to decide. */
interface Mate {
  accountId: string;
  email: string;
}

/** One button for each of them. It names the account: the members may be others when it is pressed. */
export function listMembers(itemId: string, mates: readonly Mate[]): Button[] {
  return mates
    .slice(0, mostButtons)
    .map(({ accountId, email: label }) => ({ label, data: writeData('member', itemId, accountId) }));
}

/** What replaces the buttons of a decided item. */
export function describeOutcome(type: InboxType, isAccepted: boolean, locale: string): string {
  return chatText(locale, outcomes[type][isAccepted ? 0 : 1]);
}

/** How an item can be answered that has no button for it; empty for those that need none. */
export function describeReply(type: InboxType | null, canReply: boolean, locale: string): string {
  if (!canReply || (type !== 'question' && type !== 'budget')) return '';
  return chatText(locale, type === 'question' ? 'reply' : 'replyBudget');
}
