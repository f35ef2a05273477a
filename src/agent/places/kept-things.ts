import type { HeldThings } from '../../tools/toolbox/held-things.ts';

/**
 * What the tasks of this process keep between tool calls: sandboxes of commands, sessions of code, browsers. Each costs megabytes while a
 * process holds thousands of tasks that wait for models, so only a limited number of tasks may keep things. Beyond it, the task whose last
 * call is longest ago gives its things up and is told at its next step what was still running.
 */
export class KeptThings {
  readonly #most: number;
  /** Number of calls that run now. */
  readonly #busy = new Map<HeldThings, number>();
  /** Things of tasks without a running call, least recently used first. */
  readonly #resting = new Set<HeldThings>();
  readonly #closing = new Map<HeldThings, Promise<void>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins a call of the task, once nothing of the task is being closed. */
  async begin(held: HeldThings): Promise<void> {
    this.#resting.delete(held);
    this.#busy.set(held, (this.#busy.get(held) ?? 0) + 1);
    await this.#closing.get(held);
  }

  end(held: HeldThings): void {
    const calls = (this.#busy.get(held) ?? 1) - 1;
    if (calls > 0) {
      this.#busy.set(held, calls);
      return;
    }
    this.#busy.delete(held);
    if (!held.isEmpty) this.#resting.add(held);
    const [oldest] = this.#resting;
    if (oldest && this.#busy.size + this.#resting.size > this.#most) this.#close(oldest);
  }

  /** Forgets the things of a task whose run is over. */
  drop(held: HeldThings): void {
    this.#resting.delete(held);
    this.#busy.delete(held);
  }

  #close(held: HeldThings): void {
    this.#resting.delete(held);
    const closing = held.close().finally(() => this.#closing.delete(held));
    this.#closing.set(held, closing);
  }
}
