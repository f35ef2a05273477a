import type { InboxType } from './inbox-item.ts';

/** Types of items that a reply can decide. A sign-in needs a browser, and a budget needs a number, which is too easily mistyped. */
export const repliedTypes: readonly InboxType[] = ['question', 'confirmation', 'failure'];

/** Where the words of others begin: a quotation, the line of a mail program above it, or a signature. */
const ends = [
  /^>/,
  /^-{2,}\s?$/,
  /^_{10,}$/,
  /^-+ ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Mensaje original|原始邮件) ?-+$/i,
  /^\*?(?:From|Von|De|发件人)\*? ?[:：].*@/,
];

/** Drops the introduction of a quotation, which names the author and the time; some programs break it into two lines. */
function dropIntroduction(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? '';
  if (!/[:：]$/.test(last)) return lines;
  const from = lines.findLastIndex((line) => line === '') + 1;
  const introduction = lines.slice(from).slice(-2);
  const isOne = (text: string) => /[@\d]/.test(text);
  if (isOne(last) && introduction.length === 1) return lines.slice(0, -1);
  return isOne(introduction.join(' ')) ? lines.slice(0, -introduction.length) : lines;
}

function dropBlank(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** What a person wrote above the mail that they answer; empty for nothing. */
export function readReplyText(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const end = lines.findIndex((line) => ends.some((pattern) => pattern.test(line)));
  const own = end < 0 ? lines : lines.slice(0, end);
  const isQuoted = end >= 0 && lines[end]?.startsWith('>') === true;
  return (isQuoted ? dropIntroduction(dropBlank(own)) : own).join('\n').trim();
}

const yes = /^(?:yes|y|ok|okay|allow|approve|accept|ja|erlauben|sí|si|permitir|允许|同意|好|是)$/i;
const no = /^(?:no|n|deny|decline|nein|ablehnen|denegar|rechazar|拒绝|不|否)$/i;

/** What a reply decides, as `inbox.decide` takes it: a single word allows or denies an action, everything else is an answer. */
export function decisionOf(type: InboxType, words: string): { accept: boolean } | { answer: string } {
  const word = words.replace(/[.!。！]+$/u, '');
  if (type === 'confirmation' && yes.test(word)) return { accept: true };
  if (type === 'confirmation' && no.test(word)) return { accept: false };
  return { answer: words };
}
