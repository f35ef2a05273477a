import type { Attachment } from '../events/task-event.ts';

/** A stored file as an attachment of a message. */
export function attachFile(
  isVoice: boolean,
  filename: string,
  contentType: string,
  blob: { blobId: string; bytes: number },
): Attachment {
  const kind = isVoice ? 'voice' : contentType.startsWith('image/') ? 'image' : 'file';
  return { kind, filename, contentType, blobId: blob.blobId, bytes: blob.bytes };
}

/** The workspace folder for files of the user's messages. */
export const attachmentFolder = 'attachments';

/** The outcome of transcribing a voice message. */
export type Transcription = { text: string } | { problem: string };

/** A file of a message with its place in the workspace. */
export interface PlacedAttachment extends Attachment {
  path: string;
  /** Transcript of a voice message, once there is one. */
  transcription?: Transcription;
}

const longestNameBytes = 180;

/** Truncates a text between characters. */
function cutBytes(text: string, most: number): string {
  let cut = '';
  let bytes = 0;
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > most) break;
    cut += char;
  }
  return cut;
}

/** A name in two parts; a long ending is part of the name. */
function splitName(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot > 0 && name.length - dot <= 16 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

/** A name that is valid on every file system and safe on command lines. */
function safeName(filename: string): string {
  const plain = filename
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/gu, '_')
    .replaceAll(/^[\s.-]+|[\s.]+$/gu, '');
  const [stem, ending] = splitName(plain === '' ? 'file' : plain);
  return cutBytes(stem, longestNameBytes - Buffer.byteLength(ending)) + ending;
}

/** The first free name of `report.pdf`, `report-2.pdf`, …; names that differ only in case are equal on some systems. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const [stem, ending] = splitName(name);
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${stem}-${count}${ending}`;
  return free;
}

/** Places for additional files. The same files always get the same places. */
export function placeAttachments(earlier: readonly PlacedAttachment[], added: readonly Attachment[]): PlacedAttachment[] {
  if (added.length === 0) return [];
  const taken = new Set(earlier.map(({ path }) => path.slice(attachmentFolder.length + 1).toLowerCase()));
  return added.map((attachment) => {
    const name = freeName(safeName(attachment.filename), taken);
    taken.add(name.toLowerCase());
    return { ...attachment, path: `${attachmentFolder}/${name}` };
  });
}

function describeSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function describeTranscription({ kind, transcription }: PlacedAttachment): string {
  if (kind !== 'voice') return '';
  if (transcription && 'text' in transcription) return '; a voice message, what is said in it follows';
  return `; a voice message, not transcribed${transcription ? `: ${transcription.problem}` : ''}`;
}

function describeAttachment(attachment: PlacedAttachment): string {
  const { path, contentType, bytes } = attachment;
  return `- ${path} (${contentType}, ${describeSize(bytes)}${describeTranscription(attachment)})`;
}

/** The transcripts of voice messages. */
export function listSpoken(attachments: readonly PlacedAttachment[] = []): { path: string; text: string }[] {
  return attachments.flatMap(({ path, transcription }) =>
    transcription && 'text' in transcription ? [{ path, text: transcription.text }] : [],
  );
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** The text for the last day asked for, which mostly is today. */
let lastDay = { day: '', text: '' };

function describeDay(day: string): string {
  if (day !== lastDay.day) {
    lastDay = { day, text: `[This message is of ${dayFormat.format(new Date(`${day}T00:00:00Z`))} (UTC).]` };
  }
  return lastDay.text;
}

interface Described {
  text: string;
  attachments?: readonly PlacedAttachment[];
  day?: string;
}

/** A user message as a model reads it: with its day, its attachments by workspace path, and transcripts. */
export function describeEntry({ day, ...entry }: Described): string {
  const written = describeWritten(entry);
  if (day === undefined) return written;
  return written === '' ? describeDay(day) : `${written}\n\n${describeDay(day)}`;
}

function describeWritten({ text, attachments = [] }: Described): string {
  if (attachments.length === 0) return text;
  const list = ['Files that came with this message, in the workspace:', ...attachments.map(describeAttachment)].join('\n');
  const spoken = listSpoken(attachments).map(({ path, text: words }) => `The user says in ${path}:\n${words || '[nothing]'}`);
  return [...(text.trim() === '' ? [] : [text]), list, ...spoken].join('\n\n');
}
