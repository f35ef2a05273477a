import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { findValue, isPointer } from './json-pointer.ts';
import { type FilledTemplate, fillTemplate } from '../messages/message-template.ts';
import type { Payload } from './payload.ts';
import { readHeader, readStripeTime, type RequestHeaders, standardPrefix, type VerificationType } from './sender-verification.ts';

/** The place of a template that stands for the whole body. */
export const bodyPlace = 'body';

/** The longest message of a task. */
const maxMessageLength = 200_000;

/** A condition on the payload: what the pointer finds equals this value. */
export interface PayloadFilter {
  pointer: string;
  equals: unknown;
}

/** Whether a payload meets all conditions. */
export function meetsFilters({ document }: Payload, filters: readonly PayloadFilter[]): boolean {
  return filters.every(({ pointer, equals }) => isDeepStrictEqual(findValue(document, pointer), equals));
}

function showValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface ComposedMessage extends Pick<FilledTemplate, 'text' | 'quoted'> {
  /** What the owner of the trigger should know about this delivery, as sentences. */
  notes: string[];
}

/** The message of a delivery. What a pointer does not find becomes an empty text and a note. */
export function composeMessage(template: string, payload: Payload): ComposedMessage {
  const missing = new Set<string>();
  const valueOf = (name: string) => {
    if (name === bodyPlace) return payload.text;
    // Parts of a mail are also named without a slash.
    const value = findValue(payload.document, isPointer(name) ? name : `/${name}`);
    if (value === undefined) missing.add(name);
    // Databases refuse the character, which JSON can contain as an escape.
    return showValue(value).replaceAll('\0', '');
  };
  const { text, quoted, cut } = fillTemplate(template, valueOf, maxMessageLength);
  const notes = [
    ...[...missing].map((name) => `${name} is not in the payload; the message has nothing in its place.`),
    ...[...new Set(cut)].map((name) => `${name} was cut: a message has at most ${maxMessageLength} characters.`),
  ];
  return { text, quoted, notes };
}

/** Where senders put the id of what they send, by the way they sign. */
const usualIds: Partial<Record<VerificationType, string>> = {
  github: 'x-github-delivery',
  stripe: '/id',
  standard_webhooks: 'webhook-id',
};

/** The place of the sender's id that counts if the owner of a trigger names none; null for none. */
export function usualDedupe(type: VerificationType): string | null {
  return usualIds[type] ?? null;
}

/** Whether a text names a header. */
export function isHeaderName(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

function findId(place: string, { document }: Payload, headers: RequestHeaders): string {
  if (isPointer(place)) return showValue(findValue(document, place));
  const name = place.toLowerCase();
  return readHeader(headers, name === 'webhook-id' ? `${standardPrefix(headers)}-id` : name);
}

/** Where a trigger finds the id of what it is sent. */
export interface IdPlace {
  verification: VerificationType;
  /** A JSON pointer or the name of a header; null for nowhere. */
  dedupe: string | null;
}

/**
 * Events that a person of GitHub sends by hand: their bodies say nothing of when, so that two alike are two. Told by the signed body, because
 * the header that names the event is not signed.
 */
function isDispatch({ document }: Payload): boolean {
  if (typeof document !== 'object' || document === null) return false;
  return Object.hasOwn(document, 'client_payload') || (Object.hasOwn(document, 'workflow') && Object.hasOwn(document, 'inputs'));
}

/** What the sender has signed, if that tells one event from another; null if it does not. */
function findSigned({ verification, dedupe }: IdPlace, payload: Payload, headers: RequestHeaders): string | null {
  // An id in the body is signed with it.
  const isSigned = dedupe?.startsWith('/') === true && showValue(findValue(payload.document, dedupe)) !== '';
  if (isSigned) return null;
  if (verification === 'stripe') return `${readStripeTime(headers)}.${payload.text}`;
  return verification === 'github' && !isDispatch(payload) ? payload.text : null;
}

/**
 * Names the event of a delivery for recognizing it when it is sent again: by the sender's id, if there is one at its place, and where that is
 * not signed also by what is, so that whoever has caught a request cannot send it again under another id
 * (docs/internals/decisions/0075-a-caught-request-counts-once.md).
 */
export function findDedupeKeys(place: IdPlace, payload: Payload, headers: RequestHeaders): string[] {
  if (place.dedupe === null) return [];
  const id = findId(place.dedupe, payload, headers);
  const signed = findSigned(place, payload, headers);
  // No header contains a line break, so that no id is taken for what is signed.
  const keys = [...(id === '' ? [] : [hash('sha256', id)]), ...(signed === null ? [] : [hash('sha256', `signed\n${signed}`)])];
  return [...new Set(keys)];
}
