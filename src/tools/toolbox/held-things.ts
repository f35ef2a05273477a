import type { Taint } from '../../rules/egress/trust.ts';
import type { LastingThing } from '../../rules/events/lasting-thing.ts';
import type { EgressGuard } from './egress-guard.ts';

/** Something that a tool keeps between calls. */
export interface Held {
  /** What of it runs, and would be missed. */
  list(): LastingThing[];
  /** What runs, and what has ended meanwhile but can still be named in calls. */
  listKnown(): LastingThing[];
  /** What it has read without a call, as in the background. */
  taints?(): readonly Taint[];
  /** Ends it; nothing of it is left when this settles. */
  close(): Promise<void>;
}

/** What the tools of one task keep between calls while a worker holds the task. */
export class HeldThings {
  /** What the task may connect to now; of the call that runs, or of the last one. */
  guard: EgressGuard | null = null;
  readonly #held = new Map<string, Held>();
  #isClosed = false;
  /** Taints of things that have ended. */
  readonly #taints = new Set<Taint>();
  /** Settles when everything that was ever closed has ended. */
  #ending: Promise<unknown> = Promise.resolve();

  /** The thing of this name, made if there is none. Every caller of a name makes the same kind. */
  keep<Thing extends Held>(name: string, make: () => Thing): Thing {
    const known = this.#held.get(name) as Thing | undefined;
    if (known) return known;
    const made = make();
    this.#held.set(name, made);
    if (this.#isClosed) void this.close();
    return made;
  }

  /** The thing of this name, if it was made. */
  find(name: string): Held | undefined {
    return this.#held.get(name);
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  list(): LastingThing[] {
    return [...this.#held.values()].flatMap((held) => held.list());
  }

  /** What has been read between calls, so far. */
  taints(): Taint[] {
    return [...new Set([...this.#taints, ...[...this.#held.values()].flatMap((held) => held.taints?.() ?? [])])];
  }

  listKnown(): LastingThing[] {
    return [...this.#held.values()].flatMap((held) => held.listKnown());
  }

  /**
   * Ends everything; what is kept afterwards is another one. Also waits for an end that has begun before, and never rejects: the workspace
   * is saved next, and nothing may still write to it.
   */
  async close(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    this.#ending = Promise.allSettled([this.#ending, ...held.map((one) => one.close())]);
    await this.#ending;
    for (const taint of held.flatMap((one) => one.taints?.() ?? [])) this.#taints.add(taint);
  }

  /** Closes everything permanently, because another worker now has the task. */
  async abandon(): Promise<void> {
    this.#isClosed = true;
    await this.close();
  }
}
