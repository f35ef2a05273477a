import { pause } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { eventId, newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { mainTaskId, mainTaskShortcut } from '../../rules/agents/default-agent.ts';
import { readUserCode } from '../../rules/oauth/user-code.ts';
import { type BridgeChat, findBridgeChat, linkChat, noteReceived, unlinkChat } from '../../store/bridges/bridge-chats.ts';
import { readShown } from '../../store/events/events.ts';
import { getTask } from '../../store/tasks/tasks.ts';
import { type Press, readPress } from './chat-news.ts';
import { findItemId, readItemPress } from './chat-items.ts';
import { sendOpenItems } from './chat-notifier.ts';
import { type ChatWord, chatText } from './chat-words.ts';
import { type ActOnce, answerItem, applyItemPress } from './item-decisions.ts';
import { fetchFiles, maxFileBytes } from '../platform/incoming-files.ts';
import type { Incoming } from '../platform/chat-platform.ts';
import type { Act, PlatformPorts } from './bridge-ports.ts';
import { RefusalGate } from './refusal-gate.ts';

export interface ChatReceiverParts extends PlatformPorts {
  bot: string;
  signal: AbortSignal;
  /** What replaces the buttons of an event once it is decided. */
  expectOutcome(chatId: string, seq: number, outcome: string): void;
  /** The chat can be reached again. */
  revive(chatId: string): void;
}

type Gaps = Readonly<Record<string, string>>;

/** The service is temporarily unavailable: retry. */
class NotNow extends Error {}

const mostTries = 4;
const longestPauseMs = 30_000;

const command = /^\/?(start|link|help|stop|unlink|inbox)(?:@\w+)?(?:\s+(\S.*))?$/is;

/** The idempotency key of an update; a repeated update has the same one. */
function keyOf({ id }: Incoming, platform: string, bot: string): string {
  return `bridge ${platform} ${bot} ${id}`.replaceAll(' ', '-');
}

/** Handles what people do in chats. Replies are sent at most once; what is stored is stored exactly once. */
export class ChatReceiver {
  readonly #parts: ChatReceiverParts;
  readonly #gate: RefusalGate;

  constructor(parts: ChatReceiverParts) {
    this.#parts = parts;
    this.#gate = new RefusalGate(parts.clock);
  }

  /**
   * Resolves when the update is stored, answered or rejected. Retries while the service is unavailable; after other errors it gives up
   * after some attempts, so that it does not block the rest. Rejects with the reason of the signal.
   */
  async take(incoming: Incoming): Promise<void> {
    const { clock, log, platform, signal } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#takeOnce(incoming);
      } catch (error) {
        signal.throwIfAborted();
        const isPassing = error instanceof NotNow || (error instanceof Fault && error.code === 'unavailable');
        log[isPassing ? 'warn' : 'error']({ platform: platform.name, err: error }, 'a message of a chat could not be taken');
        if (!isPassing && tries >= mostTries) return this.#sendText(incoming, null, 'notTaken', { problem: '500' });
        await pause(clock, Math.min(250 * 2 ** tries, longestPauseMs), signal);
        signal.throwIfAborted();
      }
    }
  }

  async #takeOnce(incoming: Incoming): Promise<void> {
    const { database, platform, bot } = this.#parts;
    const chat = await database.run(findBridgeChat, { platform: platform.name, bot, chat: incoming.chat });
    if (!chat || chat.person !== incoming.person) return this.#meet(incoming);
    if (chat.status !== 'active') {
      if (this.#gate.mayAnswer(incoming.chat)) await this.#sendText(incoming, chat, 'disabled');
      return;
    }
    if (chat.problem !== null) this.#parts.revive(chat.chatId);
    const { said } = incoming;
    if (said.kind === 'press') await this.#press(incoming, chat, said);
    else if (!(await this.#obey(incoming, chat, said.text))) await this.#say(incoming, chat, said);
    if (incoming.place !== null) await database.run(noteReceived, { ...chat, lastReceived: incoming.place });
  }

  async #reply({ chat }: Incoming, text: string): Promise<void> {
    const { platform, log, signal } = this.#parts;
    await platform.send(chat, { styled: text.replaceAll(/[<>&]/g, ' '), plain: text }, [], signal).catch((error: unknown) => {
      log.warn({ platform: platform.name, err: error }, 'an answer of a bridge was not sent');
    });
  }

  #sendText(incoming: Incoming, chat: BridgeChat | null, word: ChatWord, gaps: Gaps = {}): Promise<void> {
    return this.#reply(incoming, chatText(chat?.locale ?? incoming.language, word, gaps));
  }

  /** A person without a linked account: codes are checked, everything else is rejected, with a rate limit. */
  async #meet(incoming: Incoming): Promise<void> {
    const { said, language } = incoming;
    if (said.kind === 'press') return;
    const [, word = '', rest = ''] = command.exec(said.text.trim().slice(0, 100)) ?? [];
    const code = readUserCode(/^(start|link)$/i.test(word) ? rest : said.text.trim().slice(0, 20));
    if (code !== null) return this.#link(incoming, code);
    if (!this.#gate.mayAnswer(incoming.chat)) return;
    await this.#sendText(incoming, null, 'refused', { how: chatText(language, 'howToLink') });
  }

  async #link(incoming: Incoming, code: string): Promise<void> {
    const { database, clock, platform, bot } = this.#parts;
    const verdict = this.#gate.mayTry(incoming.chat);
    if (verdict === 'no') return;
    const now = clock.now();
    const { chat, person, title, place: lastReceived } = incoming;
    const linked = await database.run(linkChat, {
      ...{ digest: digestSecret(code), platform: platform.name, bot, chat, person, lastReceived, now },
      ...{ chatId: newId(now), title: title.slice(0, 100) },
    });
    if (!linked) return this.#sendText(incoming, null, verdict === 'last' ? 'tooManyCodes' : 'wrongCode');
    this.#gate.remove(chat);
    const commands = chatText(linked.locale, 'commands');
    await this.#sendText(incoming, linked, 'linked', { account: linked.email, commands });
  }

  /** Runs a command; false if the text is not one. */
  async #obey(incoming: Incoming, chat: BridgeChat, text: string): Promise<boolean> {
    const [, word = '', rest = ''] = command.exec(text.trim().slice(0, 100)) ?? [];
    const name = word.toLowerCase();
    if (/^(stop|help|unlink|inbox)$/.test(name) && rest !== '') return false;
    const code = name === 'link' || name === 'start' ? readUserCode(rest) : null;
    if (code !== null) await this.#link(incoming, code);
    else if (name === 'stop') await this.#stop(incoming, chat);
    else if (name === 'unlink') await this.#unlink(incoming, chat);
    else if (name === 'inbox') await this.#listItems(incoming, chat);
    else if (name === 'help' || (name === 'start' && rest === '')) await this.#sendText(incoming, chat, 'commands');
    else return false;
    return true;
  }

  async #stop(incoming: Incoming, chat: BridgeChat): Promise<void> {
    const { accountId } = chat;
    const { status } = await this.#parts.database.run(getTask, { accountId, taskId: mainTaskId(accountId) });
    if (status !== 'running' && status !== 'waiting') return this.#sendText(incoming, chat, 'nothingRuns');
    await this.#act(incoming, chat, 'task.stop', {});
  }

  async #unlink(incoming: Incoming, chat: BridgeChat): Promise<void> {
    const { database, clock } = this.#parts;
    await database.run(unlinkChat, { ...chat, now: clock.now(), actor: `${chat.platform}:${chat.person}` });
    await this.#sendText(incoming, chat, 'unlinked');
  }

  async #listItems(incoming: Incoming, chat: BridgeChat): Promise<void> {
    if (!(await sendOpenItems(this.#parts, chat))) await this.#sendText(incoming, chat, 'noItems');
  }

  /** Calls the API for an item of the inbox, once per update. */
  #actOnItem(incoming: Incoming, { accountId, chatId, platform, bot }: BridgeChat): ActOnce {
    const idempotencyKey = keyOf(incoming, platform, bot);
    return async (operation, body) => {
      const answer = await this.#parts.act({ accountId, chatId, operation, body, idempotencyKey });
      if (answer.status >= 500) throw new NotNow('the service is away');
      return answer;
    };
  }

  /** Calls the API, once per update however often it arrives. Refusals are reported to the chat. */
  async #act(incoming: Incoming, chat: BridgeChat, operation: Act['operation'], body: Record<string, unknown>): Promise<boolean> {
    const idempotencyKey = keyOf(incoming, chat.platform, chat.bot);
    const { accountId, chatId } = chat;
    const request = { accountId, chatId, operation, body: { task_id: mainTaskShortcut, ...body }, idempotencyKey };
    const { status, body: answer } = await this.#parts.act(request);
    if (status === 200) return true;
    const { code = '', message = '', param } = (answer.error ?? {}) as { code?: string; message?: string; param?: string };
    if (status >= 500 || code === 'conflict') throw new NotNow(message);
    // A repeated update with different text: the first one was accepted and counts.
    if (param === 'Idempotency-Key') return true;
    if (operation === 'task.sendMessage') await this.#sendText(incoming, chat, 'notTaken', { problem: message });
    return false;
  }

  async #say(
    incoming: Incoming,
    chat: BridgeChat,
    { text, files, about }: Extract<Incoming['said'], { kind: 'message' }>,
  ): Promise<void> {
    const itemId = about === undefined ? null : findItemId(about);
    if (itemId !== null && text.trim() !== '') {
      const said = text.toWellFormed().replaceAll('\0', '');
      return this.#reply(incoming, await answerItem(this.#parts, itemId, said, { chat, act: this.#actOnItem(incoming, chat) }));
    }
    const { clock, signal, platform } = this.#parts;
    const { parts, missing } = await fetchFiles(files, clock, signal);
    const said = text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed().replaceAll('\0', '') }];
    const content = [...said, ...parts];
    const isTaken = content.length > 0 && (await this.#act(incoming, chat, 'task.sendMessage', { message: { content } }));
    if (isTaken) await platform.acknowledge?.(incoming).catch(() => undefined);
    for (const { filename: name, why } of missing) {
      const gaps = { name, limit: String(maxFileBytes / 1024 ** 2) };
      await this.#sendText(incoming, chat, why === 'tooLarge' ? 'fileTooLarge' : 'fileNotFetched', gaps);
    }
    if (content.length === 0 && missing.length === 0) await this.#sendText(incoming, chat, 'nothingInIt');
  }

  async #press(incoming: Incoming, chat: BridgeChat, { data, callId }: { data: string; callId: string }): Promise<void> {
    const press = readPress(data);
    const itemPress = readItemPress(data);
    const act = this.#actOnItem(incoming, chat);
    const text = itemPress
      ? await applyItemPress(this.#parts, itemPress, incoming, { chat, act })
      : press === null
        ? ''
        : await this.#applyPress(incoming, chat, press);
    await this.#parts.platform.answerPress(callId, text, incoming).catch(() => undefined);
  }

  /** The outcome of a button, in words. */
  async #applyPress(incoming: Incoming, chat: BridgeChat, press: Press): Promise<string> {
    const { accountId, chatId, locale } = chat;
    const late = chatText(locale, 'late');
    const taskId = mainTaskId(accountId);
    if (press.kind === 'decide') {
      const { seq, isAccepted, isLasting } = press;
      const outcome = chatText(locale, isLasting ? 'alwaysAllowed' : isAccepted ? 'allowed' : 'declined');
      this.#parts.expectOutcome(chatId, seq, outcome);
      const input = { accept: isAccepted, ...(isLasting && { always_allow: true, global_allow: true }) };
      // A decided action is shown by the event before the one that waits.
      const event = eventId(taskId, seq - 1, this.#parts.clock.now());
      return (await this.#act(incoming, chat, 'task.confirmAction', { event_id: event, input })) ? outcome : late;
    }
    const answer = await this.#findAnswer(chat, press);
    if (answer === null) return late;
    const outcome = chatText(locale, 'answered', { answer });
    this.#parts.expectOutcome(chatId, press.seq, outcome);
    return (await this.#act(incoming, chat, 'task.sendMessage', { message: { content: answer } })) ? outcome : late;
  }

  /** The label of a button below a question; null if the question is no longer open. */
  async #findAnswer({ accountId }: BridgeChat, { seq, index }: Extract<Press, { kind: 'answer' }>): Promise<string | null> {
    const place = { accountId, taskId: mainTaskId(accountId), isVerbose: false, fromSeq: null, limit: 1 };
    const [newest] = await this.#parts.database.run(readShown, { ...place, order: 'desc' });
    if (newest?.seq !== seq || newest.event.type !== 'waiting') return null;
    return newest.event.suggestions?.[index] ?? null;
  }
}
