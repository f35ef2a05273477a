import { z } from 'zod';
import type { ChatFile } from '../platform/chat-platform.ts';
import type { TelegramUpdate } from './telegram-albums.ts';

const person = z.object({
  id: z.int(),
  is_bot: z.boolean().optional(),
  first_name: z.string().optional(),
  username: z.string().optional(),
  language_code: z.string().optional(),
});
const chat = z.object({ id: z.int(), type: z.string() });
const file = z.object({
  file_id: z.string().max(500),
  file_name: z.string().max(1000).optional(),
  mime_type: z.string().max(200).optional(),
  file_size: z.number().optional(),
});

const message = z.object({
  message_id: z.int(),
  media_group_id: z.string().max(100).optional(),
  from: person.optional(),
  chat,
  text: z.string().optional(),
  caption: z.string().optional(),
  document: file.optional(),
  photo: z.array(file).optional(),
  voice: file.optional(),
  audio: file.optional(),
  video: file.optional(),
  video_note: file.optional(),
  reply_to_message: z.object({ from: person.optional(), text: z.string().optional() }).optional(),
});

const update = z.object({
  update_id: z.int(),
  message: message.optional(),
  callback_query: z
    .object({
      id: z.string().max(200),
      from: person,
      data: z.string().max(64).optional(),
      message: z.object({ message_id: z.int(), chat }).optional(),
    })
    .optional(),
});

type Message = z.output<typeof message>;
type File = z.output<typeof file>;

/** The name of an attached file to which the sender's app gave none. */
const usualNames = {
  document: ['document', 'bin', null],
  photo: ['photo', 'jpg', 'image/jpeg'],
  voice: ['voice', 'ogg', 'audio/ogg'],
  audio: ['audio', 'mp3', 'audio/mpeg'],
  video: ['video', 'mp4', 'video/mp4'],
  video_note: ['video', 'mp4', 'video/mp4'],
} as const;

export type FetchTelegramFile = (fileId: string) => Promise<Buffer>;

function readFile(kind: keyof typeof usualNames, given: File, id: number, fetchFile: FetchTelegramFile): ChatFile {
  const [name, ending, type] = usualNames[kind];
  return {
    filename: given.file_name ?? `${name}-${id}.${ending}`,
    contentType: given.mime_type ?? type,
    isVoice: kind === 'voice',
    bytes: given.file_size ?? null,
    fetch: () => fetchFile(given.file_id),
  };
}

function readFiles(given: Message, fetchFile: FetchTelegramFile, maxBytes: number): ChatFile[] {
  const { message_id: id, photo = [] } = given;
  const sizes = photo.toSorted((a, b) => (b.file_size ?? 0) - (a.file_size ?? 0));
  const best = sizes.find((size) => (size.file_size ?? 0) <= maxBytes) ?? sizes.at(-1);
  const kinds = ['document', 'voice', 'audio', 'video', 'video_note'] as const;
  const others = kinds.flatMap((kind) => (given[kind] ? [readFile(kind, given[kind], id, fetchFile)] : []));
  return [...(best ? [readFile('photo', best, id, fetchFile)] : []), ...others];
}

function nameOf({ username, first_name: first, id }: z.output<typeof person>): string {
  return username ? `@${username}` : (first ?? String(id));
}

/** Telegram changes buttons without the text above them. */
function belowOf(id: number | undefined): { below?: { ref: string; text: string } } {
  return id === undefined ? {} : { below: { ref: String(id), text: '' } };
}

/** What an update contains: an action of a person in a private chat, ignoring everything else a bot receives. Null for invalid updates. */
export function readUpdate(given: unknown, fetchFile: FetchTelegramFile, maxBytes: number): TelegramUpdate | null {
  const bare = z.object({ update_id: z.int() }).safeParse(given);
  if (!bare.success) return null;
  const updateId = bare.data.update_id;
  const nothing: TelegramUpdate = { updateId, incoming: null, album: null };
  const read = update.safeParse(given);
  if (!read.success) return nothing;
  const { message: said, callback_query: press } = read.data;
  const from = said?.from ?? press?.from;
  const place = said?.chat ?? press?.message?.chat;
  if (!from || !place || from.is_bot || place.type !== 'private') return nothing;
  const about = {
    id: String(updateId),
    chat: String(place.id),
    person: String(from.id),
    title: nameOf(from),
    language: from.language_code ?? null,
    place: null,
  };
  if (press)
    return {
      ...nothing,
      incoming: {
        ...about,
        said: { kind: 'press', data: press.data ?? '', callId: press.id, ...belowOf(press.message?.message_id) },
      },
    };
  if (!said) return nothing;
  const text = said.text ?? said.caption ?? '';
  const files = readFiles(said, fetchFile, maxBytes);
  const replied = said.reply_to_message;
  const quoted = replied?.from?.is_bot && replied.text ? { about: replied.text } : {};
  return {
    updateId,
    album: said.media_group_id ?? null,
    incoming: { ...about, said: { kind: 'message', text, files, ...quoted } },
  };
}
