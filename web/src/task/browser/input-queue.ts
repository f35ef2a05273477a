import { ErrandError } from '@errand/client';
import type { WebRequest } from '../../api/web-call.ts';
import { rest } from './rest.ts';

export type BrowserInput = NonNullable<WebRequest<'task.driveBrowser'>['inputs']>[number];

const mostAtOnce = 50;
const longestText = 2000;
/** The farthest one request scrolls, in either direction. */
const farthest = 4000;
/** Pause between two requests, so that typing does not use up the account's write limit. */
const betweenMs = 100;
const mostTries = 5;
const longestRestMs = 5_000;

const clamp = (distance: number) => Math.min(Math.max(distance, -farthest), farthest);

/** Splits a text into pieces that fit one input, without splitting a character. */
function cut(text: string): string[] {
  const pieces = [''];
  for (const letter of text) {
    if ((pieces.at(-1) ?? '').length + letter.length > longestText) pieces.push('');
    pieces[pieces.length - 1] += letter;
  }
  return pieces.filter((piece) => piece !== '');
}

export interface InputQueueParts {
  send(inputs: BrowserInput[]): Promise<unknown>;
  /** Some of what was done is lost. */
  onLost(error: unknown): void;
  rest?(ms: number): Promise<void>;
}

/** Sends what a person does in order, one request at a time; what comes meanwhile goes together with the next. */
export class InputQueue {
  readonly #parts: InputQueueParts;
  #waiting: BrowserInput[] = [];
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(parts: InputQueueParts) {
    this.#parts = parts;
  }

  /** Resolves once everything added so far has been sent, or is lost. */
  get sent(): Promise<void> {
    return this.#sent;
  }

  add(input: BrowserInput): void {
    if (input.do === 'type') for (const text of cut(input.text)) this.#join({ do: 'type', text });
    else if (input.do === 'scroll') this.#join({ ...input, by_x: clamp(input.by_x ?? 0), by_y: clamp(input.by_y) });
    else this.#join(input);
    if (!this.#isSending) this.#sent = this.#flush();
  }

  #join(input: BrowserInput): void {
    const last = this.#waiting.at(-1);
    if (input.do === 'type' && last?.do === 'type' && last.text.length + input.text.length <= longestText) {
      this.#waiting[this.#waiting.length - 1] = { do: 'type', text: last.text + input.text };
    } else if (input.do === 'scroll' && last?.do === 'scroll') {
      const added = { by_x: clamp((last.by_x ?? 0) + (input.by_x ?? 0)), by_y: clamp(last.by_y + input.by_y) };
      this.#waiting[this.#waiting.length - 1] = { ...input, ...added };
    } else {
      this.#waiting.push(input);
    }
  }

  async #flush(): Promise<void> {
    const pause = this.#parts.rest ?? rest;
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      await this.#deliver(this.#waiting.splice(0, mostAtOnce), pause);
      await pause(betweenMs);
    }
    this.#isSending = false;
  }

  /** Only what was refused for its number is sent again: anything else may have reached the browser. */
  async #deliver(inputs: BrowserInput[], pause: (ms: number) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#parts.send(inputs);
        return;
      } catch (error) {
        const isBusy = error instanceof ErrandError && error.status === 429;
        if (!isBusy || tries === mostTries) return this.#parts.onLost(error);
        await pause(Math.min(error.retryAfterMs ?? 1_000, longestRestMs));
      }
    }
  }
}
