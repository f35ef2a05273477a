/** What a check of the sender of a mail has found: SPF (RFC 7208), DKIM (RFC 6376), or DMARC (RFC 9989). */
export const senderResults = ['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'] as const;
export type SenderResult = (typeof senderResults)[number];

/** What the pointers of a trigger find in a mail (docs/build/triggers.md#mail). */
export interface MailBody {
  /** Made from its content if it has none. */
  message_id: string;
  subject: string;
  /** The address in its header, in lower case; proven only if `dmarc` is `pass`. */
  from: string;
  from_name: string;
  reply_to: string;
  to: string[];
  cc: string[];
  /** The address that the sending server named, in lower case. */
  envelope_from: string;
  /** ISO 8601; '' if it has no valid one. */
  date: string;
  in_reply_to: string;
  text: string;
  attachments: { filename: string; content_type: string; size_bytes: number }[];
  /** Names in lower case. */
  headers: Record<string, string>;
  spf: SenderResult;
  dkim: SenderResult;
  dmarc: SenderResult;
  size_bytes: number;
}

/** The parts that a template can also name without a slash. */
export const mailFields: readonly (keyof MailBody)[] = [
  'subject',
  'from',
  'text',
  'from_name',
  'reply_to',
  'to',
  'cc',
  'envelope_from',
  'date',
  'message_id',
  'in_reply_to',
  'attachments',
  'spf',
  'dkim',
  'dmarc',
  'size_bytes',
];

/** Where a mail has its id. */
export const messageIdPointer = '/message_id';

/** More servers than any mail passes on its way. */
const maxHops = 50;

/** What tells whether a mail was written by a program that an answer could keep going. */
export interface MailOrigin {
  envelopeFrom: string;
  from: string;
  /** The first value of each header, by its name in lower case. */
  headers: Readonly<Record<string, string>>;
  /** How many servers have passed it on. */
  hops: number;
}

/** Why a mail starts no task, as a sentence, because an answer to it could come back forever; null if it may. */
export function findMailLoop({ envelopeFrom, from, headers, hops }: MailOrigin, ownDomain: string): string | null {
  const word = (name: string) => (headers[name] ?? '').split(/[;,\s]/, 1)[0]?.toLowerCase() ?? '';
  const [submitted, precedence] = [word('auto-submitted'), word('precedence')];
  if (envelopeFrom === '') return 'It is a report about the delivery of another mail: its sender is empty.';
  if (submitted !== '' && submitted !== 'no') return 'A program has sent it by itself: it has the header Auto-Submitted.';
  if (['bulk', 'list', 'junk'].includes(precedence)) return `It was sent to many: it has the header Precedence: ${precedence}.`;
  const isOwn = [envelopeFrom, from].some((address) => address.endsWith(`@${ownDomain}`));
  if (isOwn) return `It comes from an address of triggers, at ${ownDomain}.`;
  return hops > maxHops ? `More than ${maxHops} servers have passed it on.` : null;
}
