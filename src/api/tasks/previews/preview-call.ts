import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import { Wakeups } from '@errand/base/signals/wakeups.ts';
import { previewAnswerTopic, previewTopic } from '../../../rules/previews/preview-address.ts';
import {
  askAgainMs,
  silentTurns,
  type PreviewAnswer,
  type PreviewAsk,
  readPreviewAnswer,
} from '../../../rules/previews/preview-messages.ts';

export interface PreviewCallParts {
  channel: Broadcast;
  clock: Clock;
  taskId: string;
  signal: AbortSignal;
}

/** An answer of the worker other than the sign that it is still working on the request. */
export type PreviewReply = Exclude<PreviewAnswer, { kind: 'working' }>;
type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never;

/** One conversation with the worker that holds a task, about what its sandbox serves. */
export class PreviewCall {
  readonly #parts: PreviewCallParts;
  readonly #id: string;
  readonly #received: PreviewAnswer[] = [];
  readonly #wakeups = new Wakeups();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(parts: PreviewCallParts) {
    this.#parts = parts;
    this.#id = newId(parts.clock.now());
    this.#unsubscribe = parts.channel.subscribe(previewAnswerTopic(this.#id), (text) => {
      const answer = readPreviewAnswer(text);
      if (!answer) return;
      this.#received.push(answer);
      this.#wakeups.wake();
    });
  }

  /**
   * Sends a message until the answer comes; null if nobody answers.
   * @param again the message to send once the worker has received the first one
   */
  async ask(message: WithoutId<PreviewAsk>, again: WithoutId<PreviewAsk> = message): Promise<PreviewReply | null> {
    let said = message;
    // Turns are counted instead of time, which also passes while this process is busy with something else.
    for (let silent = 0; silent < silentTurns; silent += 1) {
      if (!this.#say(said)) return null;
      for (let received = await this.#receive(); received !== null; received = await this.#receive()) {
        if (received.kind === 'working') {
          silent = -1;
          said = again;
        } else if (isAnswerTo(said, received)) return received;
      }
      this.#parts.signal.throwIfAborted();
    }
    return null;
  }

  /** Ends the conversation and tells the worker that nothing more is wanted. Closing again does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsubscribe();
    this.#say({ kind: 'drop' });
  }

  /** Sends a message. False if certainly nobody receives it. */
  #say(message: WithoutId<PreviewAsk>): boolean {
    const { channel, taskId } = this.#parts;
    return channel.notifyOne(previewTopic(taskId), JSON.stringify({ ...message, id: this.#id }));
  }

  /** Waits for the next answer; null if none comes for a while. */
  async #receive(): Promise<PreviewAnswer | null> {
    const { clock, signal } = this.#parts;
    if (this.#received.length === 0) {
      const late = new AbortController();
      const timer = clock.setTimer(() => late.abort(), askAgainMs);
      await this.#wakeups.wait(AbortSignal.any([signal, late.signal]));
      timer.cancel();
    }
    return this.#received.shift() ?? null;
  }
}

/** Whether this answers the message that was sent last. An answer to an earlier one may come twice, because messages are repeated. */
function isAnswerTo(said: WithoutId<PreviewAsk>, answer: PreviewReply): boolean {
  if (said.kind === 'list' || answer.kind === 'ports') return said.kind === 'list' && answer.kind === 'ports';
  return answer.at === (said.kind === 'more' ? said.at : 0);
}
