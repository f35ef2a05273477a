import type { Clock, Timer } from '@errand/base/clock.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import type { Connection } from '@errand/sandbox';
import { NothingListens } from '@errand/sandbox/nothing-listens';
import { readPieces, requestFromPort } from '@errand/sandbox/port-request';
import { previewAnswerTopic } from '../../rules/previews/preview-address.ts';
import { passAnswerHeaders } from '../../rules/previews/preview-headers.ts';
import {
  type PreviewAnswer,
  type PreviewAsk,
  previewPieceBytes,
  type PreviewProblem,
  readPreviewAsk,
} from '../../rules/previews/preview-messages.ts';

/** Requests to one task at the same time, and with those that wait: a page of a development server asks for a hundred modules at once. */
const mostRunning = 16;
const mostRequests = 256;
/** Who asks for nothing more is gone. Until then, what was said is said again when it is asked for again. */
const goneMs = 30_000;

type Ask = Extract<PreviewAsk, { kind: 'ask' }>;

/** The redirect of a server leads to another one. */
class LeadsElsewhere extends Error {}

function nameProblem(error: unknown): PreviewProblem {
  if (error instanceof NothingListens) return 'nothing';
  return error instanceof LeadsElsewhere ? 'elsewhere' : 'broken';
}

/** The answer to one request, said part by part as it is asked for. */
class PreviewExchange {
  readonly #say: (answer: PreviewAnswer) => void;
  readonly #parts: AsyncGenerator<PreviewAnswer, void>;
  readonly #end: () => void;
  #last: { at: number; answer: PreviewAnswer } | null = null;
  /** The number of the part that is being made. */
  #making: number | null = null;
  isOver = false;

  constructor(parts: AsyncGenerator<PreviewAnswer, void>, say: (answer: PreviewAnswer) => void, end: () => void) {
    this.#parts = parts;
    this.#say = say;
    this.#end = end;
  }

  /** Says the part of this number, or that it is being made. */
  async give(at: number): Promise<void> {
    if (this.#last?.at === at) return this.#say(this.#last.answer);
    if (this.#making === at) return this.#say({ kind: 'working' });
    if (this.isOver || this.#making !== null || at !== (this.#last?.at ?? -1) + 1) return;
    this.#making = at;
    this.#say({ kind: 'working' });
    const answer = await this.#parts.next().then(
      ({ value }): PreviewAnswer => value ?? { kind: 'piece', at, data: '', isLast: true },
      (error: unknown): PreviewAnswer => ({ kind: 'problem', at, why: nameProblem(error) }),
    );
    this.#making = null;
    this.#last = { at, answer };
    this.isOver = answer.kind === 'problem' || (answer.kind === 'piece' && answer.isLast);
    this.#say(answer);
  }

  close(): void {
    this.isOver = true;
    this.#end();
    void this.#parts.return().catch(() => undefined);
  }
}

export interface PreviewHostParts {
  channel: Broadcast;
  clock: Clock;
  /** The sandbox of a task. */
  sandbox: {
    connect(port: number): Promise<Connection | null>;
    listPorts(): Promise<number[]>;
  };
}

/** Answers those who look at the servers of a persistent sandbox (docs/internals/decisions/0076-servers-of-a-task-are-seen-through-its-worker.md). */
export class PreviewHost {
  readonly #parts: PreviewHostParts;
  readonly #exchanges = new Map<string, { exchange: PreviewExchange; timer: Timer }>();
  readonly #gate = new FairGate({ capacity: mostRunning, mostEach: mostRunning });
  /** The look at the ports that is under way, for all who ask meanwhile: each takes a process of the sandbox. */
  #listing: Promise<number[]> | null = null;

  constructor(parts: PreviewHostParts) {
    this.#parts = parts;
  }

  receive(text: string): void {
    const message = readPreviewAsk(text);
    if (message?.kind === 'list') void this.#list(message.id);
    if (message?.kind === 'ask') this.#ask(message);
    if (message?.kind === 'more') this.#more(message.id, message.at);
    if (message?.kind === 'drop') this.#drop(message.id);
  }

  close(): void {
    for (const id of [...this.#exchanges.keys()]) this.#drop(id);
  }

  #say(id: string, answer: PreviewAnswer): void {
    this.#parts.channel.notifyOne(previewAnswerTopic(id), JSON.stringify(answer));
  }

  async #list(id: string): Promise<void> {
    this.#say(id, { kind: 'working' });
    this.#listing ??= this.#parts.sandbox
      .listPorts()
      .catch(() => [])
      .finally(() => (this.#listing = null));
    this.#say(id, { kind: 'ports', ports: await this.#listing });
  }

  /** A request that comes twice is performed once. */
  #ask(ask: Ask): void {
    const { id } = ask;
    if (!this.#exchanges.has(id)) {
      const running = [...this.#exchanges.values()].filter(({ exchange }) => !exchange.isOver).length;
      if (running >= mostRequests) return this.#say(id, { kind: 'problem', at: 0, why: 'busy' });
      const over = new AbortController();
      const parts = this.#perform(ask, over.signal);
      const exchange = new PreviewExchange(
        parts,
        (answer) => this.#say(id, answer),
        () => over.abort(),
      );
      this.#exchanges.set(id, { exchange, timer: this.#watch(id) });
    }
    this.#more(id, 0);
  }

  #more(id: string, at: number): void {
    const known = this.#exchanges.get(id);
    if (!known) return;
    known.timer.cancel();
    known.timer = this.#watch(id);
    void known.exchange.give(at);
  }

  #drop(id: string): void {
    const known = this.#exchanges.get(id);
    this.#exchanges.delete(id);
    known?.timer.cancel();
    known?.exchange.close();
  }

  #watch(id: string): Timer {
    return this.#parts.clock.setTimer(() => this.#drop(id), goneMs);
  }

  async *#perform(ask: Ask, signal: AbortSignal): AsyncGenerator<PreviewAnswer, void> {
    const leave = await this.#gate.enter({ owner: '', signal });
    try {
      yield* this.#pass(ask, signal);
    } finally {
      leave();
    }
  }

  async *#pass(ask: Ask, signal: AbortSignal): AsyncGenerator<PreviewAnswer, void> {
    const { clock, sandbox } = this.#parts;
    const { port, method, path, headers } = ask;
    const socket = await sandbox.connect(port);
    if (socket === null) throw new NothingListens('no program runs');
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    if (signal.aborted) socket.destroy();
    const body = ask.body === null ? null : Buffer.from(ask.body, 'base64');
    const response = await requestFromPort(socket, { port, method, path, headers, body }, clock);
    const kept = passAnswerHeaders(response.headers, { path, port });
    const { statusCode: status = 0 } = response;
    if (kept === null || status < 200 || status > 599) {
      response.destroy();
      throw kept === null ? new LeadsElsewhere() : new Error('no status of HTTP');
    }
    yield { kind: 'head', at: 0, status, headers: kept };
    let at = 0;
    for await (const piece of readPieces(response, previewPieceBytes, clock)) {
      at += 1;
      yield { kind: 'piece', at, data: piece.toString('base64'), isLast: false };
    }
  }
}
