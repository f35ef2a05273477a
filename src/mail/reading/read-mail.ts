import { hash } from 'node:crypto';
import { type AddressObject, type EmailAddress, type ParsedMail, simpleParser } from 'mailparser';
import { Fault } from '@errand/base/fault.ts';
import type { ReadMail } from '../../api/triggers/receive-mail.ts';
import { findMailLoop, type MailBody } from '../../rules/triggers/mail-body.ts';
import { readHtmlText } from './html-text.ts';
import { takeFiles } from './mail-files.ts';
import { type Envelope, type Lookup, proveSender, type SenderProof } from './sender-proof.ts';

export interface MailJob extends Envelope {
  bytes: Uint8Array;
  ownDomain: string;
}

/** Limits of what is kept of one mail (docs/reference/choices.md#triggers). */
const longest = { text: 200_000, line: 1000, address: 320 };
const most = { headBytes: 256 * 1024, parts: 500, addresses: 100, headers: 100 };

/** Headers of the way of a mail: long, and of no use to a task. */
const trace = /^(?:received|return-path|delivered-to|dkim-signature|authentication-results|arc-.*|x-google-.*|x-ms-exchange-.*)$/;

/** One line without control characters. */
function cleanLine(text: string, length = longest.line): string {
  const line = text
    .slice(0, 2 * length)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.trim().slice(0, length).toWellFormed();
}

function cleanText(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').toWellFormed();
  return lines.replaceAll(/(?![\n\t])\p{Cc}/gu, '').trim();
}

/** Header lines are bytes; some senders write UTF-8 without saying so. */
function decodeLine(line: string): string {
  const value = Buffer.from(line.slice(line.indexOf(':') + 1), 'latin1');
  return cleanLine(value.toString());
}

function readHeaders(mail: ParsedMail): Record<string, string> {
  const headers: Record<string, string> = {};
  let count = 0;
  for (const { key, line } of mail.headerLines) {
    if (trace.test(key) || !/^[a-z0-9-]{1,64}$/.test(key) || Object.hasOwn(headers, key) || count >= most.headers) continue;
    headers[key] = decodeLine(line);
    count++;
  }
  return headers;
}

function listAddresses(field: AddressObject | AddressObject[] | undefined): EmailAddress[] {
  const entries = [field ?? []].flat().flatMap(({ value }) => value);
  return entries.flatMap((entry) => entry.group ?? [entry]).slice(0, most.addresses);
}

const addressOf = (entry: EmailAddress | undefined) => cleanLine(entry?.address ?? '', longest.address).toLowerCase();

const listTexts = (field: ParsedMail['to']) =>
  listAddresses(field)
    .map(addressOf)
    .filter((address) => address !== '');

async function parse(bytes: Uint8Array): Promise<ParsedMail> {
  const options = { skipHtmlToText: true, skipTextToHtml: true, keepCidLinks: true, checksumAlgo: false as const };
  try {
    return await simpleParser(Buffer.from(bytes), { ...options, maxHeadSize: most.headBytes, maxChildNodes: most.parts });
  } catch (error) {
    throw new Fault('invalid_argument', 'The mail cannot be read: it is malformed, or has too many parts or too long headers.', {
      cause: error,
    });
  }
}

/** The text of a mail, from its HTML if it has no other, and whether it was cut. */
function readText({ text = '', html }: ParsedMail): { text: string; notes: string[] } {
  const plain = text.trim() === '' && typeof html === 'string' ? readHtmlText(html) : text;
  const whole = cleanText(plain.slice(0, 2 * longest.text));
  if (whole.length <= longest.text) return { text: whole, notes: [] };
  return { text: whole.slice(0, longest.text).toWellFormed(), notes: [`Its text was cut after ${longest.text} characters.`] };
}

/** The parser takes now for a time that it does not understand. */
function readDate({ date = '' }: Record<string, string>): string {
  const atMs = Date.parse(date);
  return Number.isNaN(atMs) ? '' : new Date(atMs).toISOString();
}

const unproven: SenderProof = { spf: 'none', dkim: 'none', dmarc: 'none' };

/** Reads a mail that a stranger wrote, and checks its sender; 400 `invalid_argument` for what is no mail. For a thread of its own. */
export async function readMail(job: MailJob, lookup: Lookup): Promise<ReadMail> {
  const { bytes, envelopeFrom, ownDomain } = job;
  const mail = await parse(bytes);
  const [author] = listAddresses(mail.from);
  const from = addressOf(author);
  const headers = readHeaders(mail);
  const countOf = (...names: string[]) => mail.headerLines.filter(({ key }) => names.includes(key)).length;
  const loop = findMailLoop({ envelopeFrom, from, headers, hops: countOf('received') }, ownDomain);
  const signatures = countOf('dkim-signature', 'arc-message-signature');
  const proof = loop === null ? await proveSender({ ...job, from, signatures }, lookup) : unproven;
  const { text, notes } = readText(mail);
  const { files, notes: missing } = takeFiles(mail.attachments);
  const body: MailBody = {
    message_id: cleanLine(mail.messageId ?? '') || `<${hash('sha256', bytes).slice(0, 40)}@${ownDomain}>`,
    subject: cleanLine(mail.subject ?? ''),
    from,
    from_name: cleanLine(author?.name ?? ''),
    reply_to: addressOf(listAddresses(mail.replyTo)[0]),
    to: listTexts(mail.to),
    cc: listTexts(mail.cc),
    envelope_from: envelopeFrom,
    date: readDate(headers),
    in_reply_to: cleanLine(mail.inReplyTo ?? ''),
    text,
    attachments: files.map(({ filename, contentType, bytes: { length } }) => {
      return { filename, content_type: contentType, size_bytes: length };
    }),
    headers,
    ...proof,
    size_bytes: bytes.length,
  };
  return { body, files, notes: [...notes, ...missing], loop };
}
