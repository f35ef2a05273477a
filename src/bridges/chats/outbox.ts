import { bridgesKey } from '@errand/base/signals/hints.ts';
import { Worker } from '@errand/base/worker.ts';
import { type BridgeChat, listServedChats } from '../../store/bridges/bridge-chats.ts';
import { ChatLane, type LaneParts } from './chat-lane.ts';

const pageSize = 256;
/** How long a lost hint can delay a new chat. */
const pollMs = 10_000;

/** One lane for each linked chat of a bot; a slow chat delays only itself. */
export class Outbox extends Worker {
  readonly #parts: LaneParts & { bot: string };
  readonly #lanes = new Map<string, { lane: ChatLane; end: AbortController }>();

  constructor(parts: LaneParts & { bot: string }) {
    const { database, clock, log } = parts;
    const hint = { hints: database.hints, key: bridgesKey };
    super({ name: 'outbox', clock, log, pollMs, hint, failure: 'linked chats could not be listed' });
    this.#parts = parts;
  }

  expectOutcome(chatId: string, seq: number, outcome: string): void {
    this.#lanes.get(chatId)?.lane.expectOutcome(seq, outcome);
  }

  revive(chatId: string): void {
    this.#lanes.get(chatId)?.lane.revive();
  }

  /** Every linked chat. */
  async listChats(): Promise<BridgeChat[]> {
    const { database, platform, bot } = this.#parts;
    const chats: BridgeChat[] = [];
    for (let afterChat = '', isEnd = false; !isEnd; ) {
      const page = await database.run(listServedChats, { platform: platform.name, bot, afterChat, limit: pageSize });
      chats.push(...page);
      afterChat = page.at(-1)?.chat ?? '';
      isEnd = page.length < pageSize;
    }
    return chats;
  }

  protected async work(): Promise<boolean> {
    const chats = await this.listChats();
    const known = new Set(chats.map(({ chatId }) => chatId));
    for (const [chatId, { end }] of this.#lanes) if (!known.has(chatId)) end.abort();
    for (const chat of chats) if (!this.#lanes.has(chat.chatId)) this.#open(chat);
    return false;
  }

  #open(chat: BridgeChat): void {
    const { chatId } = chat;
    const end = new AbortController();
    const lane = new ChatLane({ ...this.#parts, signal: AbortSignal.any([end.signal, this.#parts.signal]) }, chat);
    const done = lane
      .run()
      .catch((error: unknown) => this.#parts.log.error({ err: error, chat_id: chatId }, 'a chat is left alone'))
      .finally(() => this.#lanes.delete(chatId));
    this.#lanes.set(chatId, { lane, end });
    this.track(done);
  }
}
