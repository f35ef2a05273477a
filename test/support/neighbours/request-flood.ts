import type { AttackUnderWay } from './attack.ts';

/** Requests that are sent again as soon as they are answered, many at the same time. */
export class RequestFlood implements AttackUnderWay {
  readonly #send: (signal: AbortSignal) => Promise<string>;
  readonly #leaving = new AbortController();
  readonly #lanes: Promise<void>[];
  readonly #waiting = new Set<() => void>();
  /** How each request was answered. */
  readonly outcomes: string[] = [];

  constructor(atOnce: number, send: (signal: AbortSignal) => Promise<string>) {
    this.#send = send;
    this.#lanes = Array.from({ length: atOnce }, () => this.#work());
  }

  async waitForOutcomes(count: number): Promise<void> {
    while (this.outcomes.length < count) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Leaves without waiting for answers. */
  async end(): Promise<void> {
    this.#leaving.abort();
    await Promise.all(this.#lanes);
  }

  async #work(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const outcome = await this.#send(signal).catch((error: unknown) => String(error));
      if (signal.aborted) return;
      this.outcomes.push(outcome);
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    }
  }
}
