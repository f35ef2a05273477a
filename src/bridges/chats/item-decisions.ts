import { Fault } from '@errand/base/fault.ts';
import type { InboxType } from '../../rules/inbox/inbox-item.ts';
import { parseInboxItemId } from '../../rules/inbox/inbox-item.ts';
import type { BridgeChat } from '../../store/bridges/bridge-chats.ts';
import { listTeamMembers } from '../../store/accounts/teams.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import { readItemContent, readItemDecision } from '../../store/inbox/item-content.ts';
import { readTaskRelations } from '../../store/tasks/task-relations.ts';
import type { Incoming } from '../platform/chat-platform.ts';
import type { Act, PlatformPorts } from './bridge-ports.ts';
import { describeOutcome, type ItemPress, listMembers } from './chat-items.ts';
import { chatText } from './chat-words.ts';

type Answer = Awaited<ReturnType<PlatformPorts['act']>>;

/** Calls an operation once for what somebody did in a chat. */
export type ActOnce = (operation: Act['operation'], body: Record<string, unknown>) => Promise<Answer>;

interface Asked {
  chat: BridgeChat;
  act: ActOnce;
}

/** What the item asks for; null if the account cannot see it. */
async function readItem({ database }: PlatformPorts, { accountId }: BridgeChat, itemId: string) {
  const key = parseInboxItemId(itemId);
  return key && readItemContent(database, { accountId, ...key });
}

/** The other members of the team of a task, which need not be the current one of its owner; none for a task that is gone. */
export async function listMates({ database }: Pick<PlatformPorts, 'database'>, task: TaskKey) {
  const { accountId } = task;
  try {
    const { team } = await database.run(readTaskRelations, task);
    const members = team ? await database.run(listTeamMembers, { teamId: team.id, actorId: accountId }) : [];
    return members.filter((member) => member.accountId !== accountId);
  } catch (error) {
    // The task, the membership, or the team may end between the two reads.
    if (error instanceof Fault && error.code === 'not_found') return [];
    throw error;
  }
}

function listMatesOfItem(ports: PlatformPorts, { accountId }: BridgeChat, itemId: string) {
  const key = parseInboxItemId(itemId);
  return key ? listMates(ports, { accountId, taskId: key.taskId }) : [];
}

/** Why a decision was not taken, in words. */
function explain({ status, body }: Answer, locale: string): string {
  if (status === 409 || status === 404) return chatText(locale, 'late');
  const { message = '' } = (body.error ?? {}) as { message?: string };
  return chatText(locale, 'failedCall', { problem: message });
}

/** What a decision was, in words. */
function describe(type: InboxType, { accept = null, answer = null }: Decided, locale: string): string {
  if (answer !== null && type === 'question') return chatText(locale, 'answered', { answer });
  return describeOutcome(type, accept === true, locale);
}

interface Decided {
  accept?: boolean | null;
  answer?: string | null;
}

/** Describes the earlier decision to someone who decides too late. Pressing a button twice is answered with the same text. */
async function describeEarlier(
  { database }: PlatformPorts,
  { accountId, locale }: BridgeChat,
  { itemId }: ItemPress,
  said: { type: InboxType; outcome: string },
): Promise<string> {
  const key = parseInboxItemId(itemId);
  const earlier = key && (await readItemDecision(database, { accountId, ...key }));
  const late = chatText(locale, 'late');
  if (!earlier) return late;
  const outcome = describe(said.type, earlier, locale);
  return outcome === said.outcome ? outcome : `${late} ${outcome}`;
}

function toDecision(press: ItemPress, suggestions: readonly string[]): { accept: boolean } | { answer: string } | null {
  if (press.choice !== 'answer') return { accept: press.choice === 'accept' };
  const answer = suggestions[press.index];
  return answer === undefined ? null : { answer };
}

async function assign(ports: PlatformPorts, press: ItemPress, { chat, act }: Asked): Promise<string> {
  const mate = (await listMatesOfItem(ports, chat, press.itemId)).find(({ accountId }) => accountId === press.memberId);
  if (!mate) return chatText(chat.locale, 'late');
  const answer = await act('inbox.assign', { id: press.itemId, account_id: mate.accountId });
  return answer.status === 200 ? chatText(chat.locale, 'delegated', { name: mate.email }) : explain(answer, chat.locale);
}

/** Replaces the buttons below an item. */
async function decorate(
  { platform, signal, log }: PlatformPorts & { signal: AbortSignal },
  { chat, said }: Incoming,
  below: Parameters<PlatformPorts['platform']['decorate']>[2],
): Promise<void> {
  if (said.kind !== 'press' || !said.below) return;
  const { ref, text } = said.below;
  await platform.decorate(chat, { ref, piece: { styled: text, plain: text } }, below, signal).catch((error: unknown) => {
    log.warn({ platform: platform.name, err: error }, 'the buttons of an item were not replaced');
  });
}

/** Does what a button below an item says; returns the outcome in words. */
export async function applyItemPress(
  ports: PlatformPorts & { signal: AbortSignal },
  press: ItemPress,
  incoming: Incoming,
  asked: Asked,
): Promise<string> {
  const { chat, act } = asked;
  const { locale } = chat;
  if (press.choice === 'delegate') {
    const mates = await listMatesOfItem(ports, chat, press.itemId);
    await decorate(ports, incoming, { buttons: listMembers(press.itemId, mates) });
    return '';
  }
  if (press.choice === 'member') {
    const outcome = await assign(ports, press, asked);
    await decorate(ports, incoming, { outcome });
    return outcome;
  }
  const item = await readItem(ports, chat, press.itemId);
  const decision = item && toDecision(press, item.suggestions);
  if (!item || !decision) return chatText(locale, 'late');
  const answer = await act('inbox.decide', { id: press.itemId, ...decision });
  const type = item.type ?? 'question';
  const wanted = describe(type, decision, locale);
  const outcome =
    answer.status === 200
      ? wanted
      : answer.status === 409
        ? await describeEarlier(ports, chat, press, { type, outcome: wanted })
        : explain(answer, locale);
  await decorate(ports, incoming, { outcome });
  return outcome;
}

/** A number of credits alone raises a budget; everything else is the answer. */
function toReply(type: InboxType | null, text: string): Record<string, unknown> {
  const isRaise = type === 'budget' && /^\d{1,10}$/.test(text.trim());
  return isRaise ? { accept: true, input: { credits: Number(text) } } : { answer: text };
}

/** Decides an item by the text that somebody replied to its message; returns the outcome in words. */
export async function answerItem(ports: PlatformPorts, itemId: string, text: string, { chat, act }: Asked): Promise<string> {
  const item = await readItem(ports, chat, itemId);
  if (!item) return chatText(chat.locale, 'late');
  const answer = await act('inbox.decide', { id: itemId, ...toReply(item.type, text) });
  return answer.status === 200 ? chatText(chat.locale, 'settled') : explain(answer, chat.locale);
}
