import type { WebRequest } from '../../api/web-call.ts';

export type BrowserInput = NonNullable<WebRequest<'task.driveBrowser'>['inputs']>[number];

const mostAtOnce = 50;
const longestText = 2000;

/** Sends what a person does in order, one request at a time; what comes meanwhile goes together with the next. */
export class InputQueue {
  readonly #send: (inputs: BrowserInput[]) => Promise<unknown>;
  #waiting: BrowserInput[] = [];
  #isSending = false;

  constructor(send: (inputs: BrowserInput[]) => Promise<unknown>) {
    this.#send = send;
  }

  add(input: BrowserInput): void {
    const last = this.#waiting.at(-1);
    if (input.do === 'type' && last?.do === 'type' && last.text.length + input.text.length <= longestText) {
      this.#waiting[this.#waiting.length - 1] = { do: 'type', text: last.text + input.text };
    } else if (input.do === 'scroll' && last?.do === 'scroll') {
      const added = { by_x: (last.by_x ?? 0) + (input.by_x ?? 0), by_y: last.by_y + input.by_y };
      this.#waiting[this.#waiting.length - 1] = { ...input, ...added };
    } else {
      this.#waiting.push(input);
    }
    void this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, mostAtOnce)).catch(() => undefined);
    this.#isSending = false;
  }
}
