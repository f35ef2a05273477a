import { posix } from 'node:path';
import type { Entrant } from '@errand/base/load/fair-gate.ts';
import type { OutboundReply } from '@errand/base/net/safe-fetch.ts';
import { nameProblem } from '@errand/sandbox/workspace-path';
import type { DocumentReader } from '../files/readers/document-reader.ts';
import { findKind } from '../files/text/file-kind.ts';
import { decodePage } from '../files/readers/page-encoding.ts';
import { longestReading } from '../files/readers/document-reading.ts';
import { decodeOtherText, isText } from '../files/text/text-file.ts';

/** What an answer is to a reader: text, or bytes that only a file can hold. */
export type Fetched = { kind: 'text'; what: string; text: string } | { kind: 'bytes'; what: string };

const pageType = /^(text\/html|application\/xhtml\+xml)/;
const looksLikePage = /^\s*<(!doctype html|html|head|body)\b/i;

function readPlain(body: Buffer, contentType: string): string | null {
  if (isText(body)) return body.toString('utf8');
  return /charset=/i.test(contentType) ? decodePage(body, contentType) : decodeOtherText(body);
}

/** Takes the text out of an answer by what it is; the type that the server names decides between pages and other texts only. */
export async function readAnswer(reply: OutboundReply, documents: DocumentReader, reader: Entrant): Promise<Fetched> {
  const { body, headers, finalUrl } = reply;
  const contentType = headers['content-type'] ?? '';
  const kind = findKind(body);
  if (kind === 'unknown') {
    const text = readPlain(body, contentType);
    if (text === null) return { kind: 'bytes', what: contentType || 'no text' };
    if (!pageType.test(contentType) && !looksLikePage.test(text)) {
      return { kind: 'text', what: contentType || 'text', text: text.slice(0, longestReading) };
    }
    const page = await documents({ source: body, kind: 'page', url: finalUrl, contentType }, reader);
    return { kind: 'text', ...page };
  }
  if (kind !== 'pdf' && kind !== 'package') return { kind: 'bytes', what: contentType || kind };
  const read = await documents({ source: body, kind }, reader).catch(() => null);
  return read && read.text !== '' ? { kind: 'text', ...read } : { kind: 'bytes', what: read?.what ?? (contentType || kind) };
}

/** A name for what an address leads to, from what the server says or from the address; clean enough for any file system. */
export function chooseFileName({ headers, finalUrl }: Pick<OutboundReply, 'headers' | 'finalUrl'>): string {
  const named = /filename\*?=(?:UTF-8'')?"?([^";]+)/i.exec(headers['content-disposition'] ?? '')?.[1];
  const last = named ?? posix.basename(new URL(finalUrl).pathname);
  const decoded = URL.canParse(`http://x/${last}`) ? safeDecode(last) : last;
  const name = posix
    .basename(decoded.replaceAll('\\', '/'))
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  return name === '' || nameProblem(name) !== null ? 'download' : name;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
