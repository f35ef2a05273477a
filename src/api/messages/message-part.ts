import { z } from 'zod';
import { type Fault, invalidField, missingField } from '@errand/base/fault.ts';
import { readContentType, readFilename } from '../../rules/files/upload-policy.ts';
import { optional, optionalTexts } from '../contract/fields.ts';

/** Limit of a `file_data` or `file_url` part (docs/reference/choices.md#limits). */
export const maxPartBytes = 20 * 1024 * 1024;

export const contentPart = z
  .object({
    type: optional(z.enum(['text', 'file', 'voice'])),
    ...optionalTexts('text', 'file_id', 'file_url', 'file_data', 'data', 'filename', 'mime_type'),
  })
  .meta({
    id: 'ContentPart',
    description: [
      'A text part has `text`. A file part (type `file`, or `voice` for speech) has one of `file_id` (from file.upload), `file_url`',
      '(at most 20 MB; fetched after the response if that takes longer than five seconds), or `file_data` (`data:<type>;base64,…`, at most 20 MB decoded, with `filename`).',
      '`data` is the same as `file_data` and also accepts bare Base64.',
    ].join(' '),
  });

export type ContentPart = z.output<typeof contentPart>;

/** Where the bytes of a file part are. */
export type PartSource = { kind: 'id'; fileId: string } | { kind: 'url'; url: string } | { kind: 'data'; bytes: Buffer };

/** A file part, checked without any lookups. */
export interface FilePart {
  /** The path of the part in the request, for errors. */
  field: string;
  isVoice: boolean;
  source: PartSource;
  /** Filename given by the caller; null to detect it. */
  filename: string | null;
  /** MIME type given by the caller; null to detect it. */
  contentType: string | null;
}

export type ReadPart = { kind: 'text'; text: string } | ({ kind: 'file' } & FilePart);

const dataUri = /^data:([^,]{0,255}),/;
const notDataUri = 'must be a data URI: data:<type>;base64,<base64>';
const notBase64 = 'must be Base64 or a data URI';

/** Decodes Base64 of either alphabet, with or without padding and line breaks; null for anything else. */
function decodeBase64(text: string): Buffer | null {
  const dense = /\s/.test(text) ? text.replaceAll(/\s+/g, '') : text;
  const digits = dense.endsWith('==') ? dense.length - 2 : dense.endsWith('=') ? dense.length - 1 : dense.length;
  const bytes = Buffer.from(dense, 'base64');
  // The decoder skips invalid characters, which makes the result too short.
  return digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4) ? bytes : null;
}

interface InlineFile {
  bytes: Buffer;
  contentType: string | null;
}

function readBase64(field: string, text: string, problem: string): Buffer {
  if (text.length > 2 * maxPartBytes) throw partTooLarge(field);
  const bytes = decodeBase64(text);
  if (bytes === null) throw invalidField(field, problem);
  if (bytes.length > maxPartBytes) throw partTooLarge(field);
  return bytes;
}

function readDataUri(field: string, text: string): InlineFile {
  const head = dataUri.exec(text);
  const [type = '', ...parameters] = (head?.[1] ?? '').split(';');
  if (!head || parameters.at(-1)?.trim().toLowerCase() !== 'base64') throw invalidField(field, notDataUri);
  return { bytes: readBase64(field, text.slice(head[0].length), notDataUri), contentType: readContentType(type) };
}

/** The `data` field, which clients of other APIs send. */
function readData(field: string, text: string): InlineFile {
  return text.startsWith('data:') ? readDataUri(field, text) : { bytes: readBase64(field, text, notBase64), contentType: null };
}

export function partTooLarge(field: string): Fault {
  return invalidField(field, `must have at most ${maxPartBytes / 1024 ** 2} MB`);
}

function readSource(field: string, part: ContentPart): { source: PartSource; contentType: string | null } {
  const { file_id, file_url, file_data, data, filename } = part;
  const given = [file_id, file_url, file_data, data].filter((source) => source !== undefined);
  if (given.length !== 1) {
    throw invalidField(field, `must have ${given.length === 0 ? 'one' : 'only one'} of file_id, file_url and file_data`);
  }
  if (file_id !== undefined) return { source: { kind: 'id', fileId: file_id }, contentType: null };
  if (file_url !== undefined) return { source: { kind: 'url', url: file_url }, contentType: null };
  if (filename === undefined) throw missingField(`${field}.filename`);
  const { bytes, contentType } =
    data === undefined ? readDataUri(`${field}.file_data`, file_data ?? '') : readData(`${field}.data`, data);
  return { source: { kind: 'data', bytes }, contentType };
}

/** Reads one part of `message.content`; 400 `invalid_argument` names it. Without `type`, its fields determine its kind. */
export function readPart(part: ContentPart, index: number): ReadPart {
  const field = `message.content[${index}]`;
  const hasFile = [part.file_id, part.file_url, part.file_data, part.data].some((source) => source !== undefined);
  if (part.type === 'text' || (part.type === undefined && (part.text !== undefined || !hasFile))) {
    if (part.text === undefined) throw missingField(`${field}.text`);
    return { kind: 'text', text: part.text };
  }
  const filename = part.filename === undefined ? null : readFilename(`${field}.filename`, part.filename);
  const { source, contentType } = readSource(field, part);
  return {
    kind: 'file',
    field,
    isVoice: part.type === 'voice',
    source,
    filename,
    contentType: readContentType(part.mime_type) ?? contentType,
  };
}
