import { pause } from '@errand/base/clock.ts';
import { taskKey } from '@errand/base/signals/hints.ts';
import { mainTaskId } from '../../rules/agents/default-agent.ts';
import type { LoggedEvent } from '../../rules/events/task-event.ts';
import { type BridgeChat, type ChatProgress, noteProgress } from '../../store/bridges/bridge-chats.ts';
import type { BridgeHold } from '../../store/bridges/bridges.ts';
import { readShown } from '../../store/events/events.ts';
import { type NewsPart, planNews, readWorking } from './chat-news.ts';
import { chatText } from './chat-words.ts';
import { ChatFault } from '../platform/chat-platform.ts';
import type { PlatformPorts } from './bridge-ports.ts';
import { Waker } from './waker.ts';

const pageSize = 32;
/** How long a lost hint can delay a chat. */
const pollMs = 10_000;
const minBackoffMs = 1000;
const maxBackoffMs = 60_000;
const longestWaitMs = 60 * 60_000;
/** A typing indicator lasts five seconds; after this long without an event nobody watches it any more. */
const signMs = 4500;
const signsForMs = 10 * 60_000;

export interface LaneParts extends PlatformPorts {
  hold: BridgeHold;
  /** Aborted with the lease. */
  signal: AbortSignal;
}

/** The process has lost its lease, or the chat its link. */
class Lost extends Error {}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Delivers the events of an account's main task to one chat, in order. The position is stored after each message, so a crash in between
 * repeats at most that one message.
 */
export class ChatLane {
  readonly #parts: LaneParts;
  readonly #chat: BridgeChat;
  readonly #outcomes = new Map<number, string>();
  #progress: ChatProgress;
  #isWorking = false;
  #newsAt = 0;
  readonly #waker: Waker;
  #isRevived = false;

  constructor(parts: LaneParts, chat: BridgeChat) {
    this.#parts = parts;
    this.#chat = chat;
    this.#progress = chat;
    this.#waker = new Waker(parts.clock, parts.signal);
  }

  /** What replaces the buttons of an event instead of "settled". */
  expectOutcome(seq: number, outcome: string): void {
    this.#outcomes.set(seq, outcome);
  }

  revive(): void {
    this.#isRevived = true;
    this.#waker.wake();
  }

  /** Resolves when the signal aborts or the chat needs no more work. */
  async run(): Promise<void> {
    const { database, log, signal } = this.#parts;
    const key = taskKey(mainTaskId(this.#chat.accountId));
    const unsubscribe = database.hints.subscribe(key, () => this.#waker.wake());
    try {
      while (!signal.aborted) {
        const isDone = await this.#bringNews().catch((error: unknown) => {
          if (error instanceof Lost) throw error;
          if (!signal.aborted) log.warn({ err: error, chat_id: this.#chat.chatId }, 'a chat was not brought its news');
          return false;
        });
        await this.#waker.wait(!isDone ? minBackoffMs : this.#showsWork() ? signMs : pollMs);
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    } finally {
      unsubscribe();
    }
  }

  #showsWork(): boolean {
    const { platform, clock } = this.#parts;
    return platform.showWork !== null && this.#isWorking && clock.monotonic() - this.#newsAt < signsForMs;
  }

  async #bringNews(): Promise<boolean> {
    const { database, platform, signal } = this.#parts;
    const { accountId, chat } = this.#chat;
    if (this.#progress.problem !== null) {
      if (!this.#isRevived) return true;
      await this.#keep({ problem: null });
    }
    this.#isRevived = false;
    for (let isEnd = false; !isEnd; ) {
      const place = { accountId, taskId: mainTaskId(accountId), order: 'asc' as const, isVerbose: false };
      const page = await database.run(readShown, { ...place, fromSeq: this.#progress.deliveredSeq, limit: pageSize });
      for (const logged of page) await this.#bring(logged);
      isEnd = page.length < pageSize;
    }
    if (this.#showsWork()) await platform.showWork?.(chat, signal).catch(() => undefined);
    return true;
  }

  async #bring(logged: LoggedEvent): Promise<void> {
    const { log } = this.#parts;
    const working = readWorking(logged);
    const hasEnded = working !== null || logged.event.type === 'user_stopped' || logged.event.type === 'error';
    if (hasEnded && this.#progress.promptSeq !== null) await this.#closePrompt(this.#progress.promptSeq);
    if (working !== null) this.#isWorking = working;
    this.#newsAt = this.#parts.clock.monotonic();
    const parts = planNews(logged, this.#chat.locale).flatMap((part) => this.#cut(part));
    for (const [at, part] of parts.entries()) {
      if (at < this.#progress.deliveredPart) continue;
      const sent = await this.#send(part, logged.seq).catch((error: unknown) => {
        if (!(error instanceof ChatFault) || error.kind !== 'refused') throw error;
        log.warn({ err: error, chat_id: this.#chat.chatId, seq: logged.seq }, 'a chat does not take a message');
        return {};
      });
      await this.#keep({ deliveredPart: at + 1, ...sent });
    }
    if (parts.length > 0) await this.#keep({ deliveredSeq: logged.seq, deliveredPart: 0 });
    // Events without text are skipped without a write.
    else this.#progress = { ...this.#progress, deliveredSeq: logged.seq, deliveredPart: 0 };
  }

  /** Sends texts as separate messages, so that each has its own position. */
  #cut(part: NewsPart): NewsPart[] {
    if (part.kind !== 'text') return [part];
    const pieces = this.#parts.platform.cut(part.markdown);
    return pieces.map((_, piece) => ({ ...part, piece }));
  }

  /** Sends one part and returns the changed progress. */
  async #send(part: NewsPart, seq: number): Promise<Partial<ChatProgress>> {
    const { platform, signal } = this.#parts;
    const { chat } = this.#chat;
    if (part.kind === 'file') {
      await this.#sendFile(part);
      return {};
    }
    const pieces = platform.cut(part.markdown);
    const piece = (part.kind === 'text' ? pieces[part.piece ?? 0] : pieces.at(-1)) ?? { styled: '…', plain: '…' };
    if (part.kind === 'text') return { lastRef: await this.#retry(() => platform.send(chat, piece, [], signal)) };
    const { buttons } = part;
    const ref = this.#progress.lastRef;
    if (ref === null) {
      return { lastRef: await this.#retry(() => platform.send(chat, piece, buttons, signal)), promptSeq: seq };
    }
    await this.#retry(() => platform.decorate(chat, { ref, piece }, { buttons }, signal));
    return { promptSeq: seq };
  }

  async #sendFile({ file, fileKind: kind }: Extract<NewsPart, { kind: 'file' }>): Promise<void> {
    const { platform, signal, openFile, linkTo } = this.#parts;
    const { accountId, chat, locale } = this.#chat;
    const { filename, contentType, blobId } = file;
    if (file.bytes <= platform.fileBytes) {
      const bytes = await readAll(await openFile(accountId, blobId));
      return this.#retry(() => platform.sendFile(chat, { kind, filename, contentType, bytes }, signal));
    }
    const address = await linkTo(accountId, file);
    const gaps = { name: filename, address: address ?? '' };
    const plain = chatText(locale, address === null ? 'fileKept' : 'fileElsewhere', gaps);
    const [piece = { styled: plain, plain }] = platform.cut(plain);
    await this.#retry(() => platform.send(chat, piece, [], signal));
  }

  /** Replaces the buttons of something settled with its outcome. */
  async #closePrompt(seq: number): Promise<void> {
    const { database, platform, signal } = this.#parts;
    const { accountId, chat, locale } = this.#chat;
    const place = { accountId, taskId: mainTaskId(accountId), order: 'asc' as const, isVerbose: false, limit: 1 };
    const [logged] = await database.run(readShown, { ...place, fromSeq: seq - 1 });
    const ref = this.#progress.lastRef;
    const outcome = this.#outcomes.get(seq) ?? chatText(locale, 'settled');
    this.#outcomes.clear();
    if (ref !== null && logged?.event.type === 'waiting') {
      const piece = platform.cut(logged.event.question).at(-1) ?? { styled: '…', plain: '…' };
      await this.#retry(() => platform.decorate(chat, { ref, piece }, { outcome }, signal)).catch((error: unknown) => {
        if (!(error instanceof ChatFault) || error.kind !== 'refused') throw error;
      });
    }
    await this.#keep({ promptSeq: null });
  }

  /** Retries until the platform accepts it. An unreachable chat is skipped until its user writes again. */
  async #retry<Result>(act: () => Promise<Result>): Promise<Result> {
    const { clock, signal } = this.#parts;
    for (let backoffMs = minBackoffMs; ; backoffMs = Math.min(2 * backoffMs, maxBackoffMs)) {
      try {
        return await act();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ChatFault) || error.kind === 'refused') throw error;
        if (error.kind === 'gone') await this.#keep({ problem: error.message });
        if (error.kind === 'gone') throw error;
        await pause(clock, error.kind === 'wait' ? Math.min(error.retryMs, longestWaitMs) : backoffMs, signal);
        signal.throwIfAborted();
      }
    }
  }

  async #keep(change: Partial<ChatProgress>): Promise<void> {
    const { database, hold } = this.#parts;
    const { accountId, chatId } = this.#chat;
    const { deliveredSeq, deliveredPart, lastRef, promptSeq, problem } = { ...this.#progress, ...change };
    const progress = { deliveredSeq, deliveredPart, lastRef, promptSeq, problem };
    if (!(await database.run(noteProgress, { accountId, chatId, hold, ...progress }))) throw new Lost();
    this.#progress = progress;
  }
}
