import type { Database } from '../../store/db/database.ts';
import { inboxItemId, type InboxType } from '../../rules/inbox/inbox-item.ts';
import { describeNotice, type NoticeFacts } from '../../rules/notifications/notice.ts';
import { listOpenItems } from '../../store/inbox/inbox-items.ts';
import { getNoticeContent, type NoticeContent } from '../../store/notifications/notification-content.ts';
import { type BridgeChat, getBridgeChat } from '../../store/bridges/bridge-chats.ts';
import { ChatFault, type ChatPlatform } from '../platform/chat-platform.ts';
import type { PlatformPorts } from './bridge-ports.ts';
import { describeReply, listChoices } from './chat-items.ts';
import { listMates } from './item-decisions.ts';

/** Something to tell somebody in a chat. */
export interface ChatNotice {
  title: string;
  body: string;
  url: string;
  /** What waits for a decision; null for nothing. */
  item: { id: string; taskId: string; type: InboxType; suggestions: readonly string[]; isOwn: boolean } | null;
}

export type ChatOutcome =
  | { outcome: 'sent' }
  | { outcome: 'gone' }
  | { outcome: 'refused'; problem: string }
  | { outcome: 'failed'; problem: string; retryAfterMs: number | null };

/** The message to a chat about a notification. */
export function toChatNotice(
  about: Omit<NoticeFacts, keyof NoticeContent | 'text'> & { accountId: string; taskAccountId: string },
  content: NoticeContent,
  baseUrl: string,
): ChatNotice {
  const { title, body, path } = describeNotice({ ...about, ...content });
  const { type, suggestions } = content;
  const { taskId } = about;
  const item =
    about.kind === 'finished' || type === null ? null : { id: inboxItemId(taskId, about.seq), taskId, type, suggestions };
  return { title, body, url: `${baseUrl}${path}`, item: item && { ...item, isOwn: about.accountId === about.taskAccountId } };
}

/** Markdown takes these as markup. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#~|]/g, String.raw`\$&`);
}

function toOutcome(error: unknown): ChatOutcome {
  if (!(error instanceof ChatFault)) throw error;
  const { kind, message: problem, retryMs } = error;
  if (kind === 'gone') return { outcome: 'gone' };
  if (kind === 'refused') return { outcome: 'refused', problem };
  return { outcome: 'failed', problem, retryAfterMs: kind === 'wait' ? retryMs : null };
}

/** Sends a notice to a chat, with buttons that decide what it is about. */
export async function sendNotice(
  platform: ChatPlatform,
  { chat, locale, accountId }: BridgeChat,
  { title, body, url, item }: ChatNotice,
  { database, signal }: { database: Database; signal: AbortSignal },
): Promise<ChatOutcome> {
  // Only the owner of a task delegates; a bot of Telegram is told which message a reply is about.
  const canDelegate =
    item !== null && item.isOwn && (await listMates({ database }, { accountId, taskId: item.taskId })).length > 0;
  const how = describeReply(item?.type ?? null, platform.name === 'telegram', locale);
  const markdown = [`**${escapeMarkdown(title)}**`, escapeMarkdown(body), url, ...(how === '' ? [] : [`_${how}_`])].join('\n\n');
  const [piece = { styled: body, plain: body }] = platform.cut(markdown);
  const buttons = item ? listChoices(item, locale, canDelegate) : [];
  return platform.send(chat, piece, buttons, signal).then(() => ({ outcome: 'sent' as const }), toOutcome);
}

/** The chat to which a notice goes, and its platform; null if it was unlinked or its account is disabled. */
export async function findNoticeChat(
  platforms: readonly ChatPlatform[],
  database: Database,
  key: { accountId: string; chatId: string },
): Promise<{ chat: BridgeChat; platform: ChatPlatform } | null> {
  const chat = await database.run(getBridgeChat, key);
  const platform = platforms.find(({ name }) => name === chat?.platform);
  return chat && platform && chat.status === 'active' ? { chat, platform } : null;
}

/** Items that a chat lists. */
const listed = { type: null, beforeTaskId: null, limit: 10 } as const;

/** Sends what waits for the person of a chat, newest last as a chat has it; false for nothing. */
export async function sendOpenItems(ports: PlatformPorts & { signal: AbortSignal }, chat: BridgeChat): Promise<boolean> {
  const { database, platform, signal, findBaseUrl } = ports;
  const items = await database.run(listOpenItems, { ...listed, accountId: chat.accountId });
  const baseUrl = (await findBaseUrl()) ?? '';
  for (const item of items.toReversed()) {
    const about = { accountId: chat.accountId, taskAccountId: item.accountId, taskId: item.taskId, seq: item.seq };
    const content = await database.run(getNoticeContent, about);
    const notice = content && toChatNotice({ ...about, kind: item.type }, content, baseUrl);
    if (notice) await sendNotice(platform, chat, notice, { database, signal });
  }
  return items.length > 0;
}
