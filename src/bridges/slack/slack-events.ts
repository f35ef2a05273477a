import { z } from 'zod';
import type { Incoming, ChatFile } from '../platform/chat-platform.ts';
import { readSlackText } from './slack-renderer.ts';

const text = z.string().max(100);

const file = z.object({
  id: text,
  name: z.string().max(1000).nullish(),
  mimetype: z.string().max(200).optional(),
  size: z.number().optional(),
  subtype: z.string().optional(),
  url_private_download: z.string().max(2000).optional(),
});

const message = z.object({
  type: z.literal('message'),
  subtype: z.string().optional(),
  channel: text.optional(),
  channel_type: z.string().optional(),
  user: text,
  user_team: text.optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  ts: z.string().regex(/^\d{1,12}\.\d{1,6}$/),
  files: z.array(file).max(100).optional(),
});

const press = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: text, team_id: text.optional() }),
  channel: z.object({ id: text }),
  message: z.object({ ts: text, text: z.string().max(40_000) }).optional(),
  actions: z.array(z.object({ action_id: text, value: z.string().max(64).optional(), action_ts: text })).min(1),
});

/** Messages from the socket, each to be acknowledged by its id. */
export const envelope = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
});

export type FetchSlackFile = (address: string, contentType: string | null) => Promise<Buffer>;

function readFile(given: z.output<typeof file>, fetchFile: FetchSlackFile): ChatFile {
  const { id, name, mimetype: contentType = null, size: bytes = null, url_private_download: address = '' } = given;
  const isVoice = given.subtype === 'slack_audio';
  return { filename: name ?? id, contentType, isVoice, bytes, fetch: () => fetchFile(address, contentType) };
}

/**
 * Whether somebody is of another workspace, with which a channel is shared: ids of people are only those of their workspace. Ids of whole
 * organizations begin with E, and say nothing of it.
 */
function isForeign(team: string | undefined, workspace: string | null): boolean {
  return team !== undefined && workspace !== null && team !== workspace && team.startsWith('T') && workspace.startsWith('T');
}

/** A direct message of a person to the bot; null for all other message events. */
export function readSlackMessage(
  given: unknown,
  { channel, workspace }: { channel: string | null; workspace: string | null },
  fetchFile: FetchSlackFile,
): Incoming | null {
  const read = message.safeParse(given);
  if (!read.success) return null;
  const { user, ts, files = [], subtype, bot_id: bot, channel_type: kind } = read.data;
  const chat = channel ?? read.data.channel;
  const isPrivate = channel !== null || kind === 'im';
  const isSaid = subtype === undefined || subtype === 'file_share';
  if (chat === undefined || !isPrivate || !isSaid || bot !== undefined) return null;
  if (isForeign(read.data.user_team, workspace)) return null;
  const said = readSlackText(read.data.text ?? '');
  return {
    ...{ id: `${chat}-${ts}`, chat, person: user, title: user, language: null, place: ts },
    said: { kind: 'message', text: said, files: files.map((each) => readFile(each, fetchFile)) },
  };
}

/** A button that a person pressed; null for other interactions. */
export function readSlackPress(given: unknown, workspace: string | null): Incoming | null {
  const read = press.safeParse(given);
  if (!read.success) return null;
  const { user, channel, actions, message: above } = read.data;
  const [action] = actions;
  if (!action || isForeign(user.team_id, workspace)) return null;
  const id = `${channel.id}-${user.id}-${action.action_ts}-${action.action_id}`;
  const about = { id, chat: channel.id, person: user.id, title: user.id, language: null, place: null };
  return {
    ...about,
    said: { kind: 'press', data: action.value ?? '', callId: id, ...(above && { below: { ref: above.ts, text: above.text } }) },
  };
}
