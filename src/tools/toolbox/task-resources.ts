import type { Taint } from '../../rules/egress/trust.ts';
import type { RunningProcess } from '../../rules/events/running-process.ts';
import type { EgressGuard } from './egress-guard.ts';

/** Something that a tool keeps between calls: a sandbox, or a browser. */
export interface TaskResource {
  /** What of it runs, and would be missed. */
  list(): RunningProcess[];
  /** What runs, and what has ended meanwhile but can still be named in calls. */
  listKnown(): RunningProcess[];
  /** What it has read without a call, as in the background. */
  taints?(): readonly Taint[];
  /** Ends it; nothing of it is left when this settles. */
  close(): Promise<void>;
}

/** The resources of one task, which its tools keep between calls while a worker holds the task. */
export class TaskResources {
  /** What the task may connect to now; of the call that runs, or of the last one. */
  guard: EgressGuard | null = null;
  readonly #open = new Map<string, TaskResource>();
  #isClosed = false;
  /** Taints of resources that have ended. */
  readonly #taints = new Set<Taint>();
  /** Settles when everything that was ever closed has ended. */
  #ending: Promise<unknown> = Promise.resolve();

  /** The resource of this name, made if there is none. Every caller of a name makes the same kind. */
  keep<Kind extends TaskResource>(name: string, make: () => Kind): Kind {
    const known = this.#open.get(name) as Kind | undefined;
    if (known) return known;
    const made = make();
    this.#open.set(name, made);
    if (this.#isClosed) void this.close();
    return made;
  }

  /** The resource of this name, if it was made. */
  find(name: string): TaskResource | undefined {
    return this.#open.get(name);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  list(): RunningProcess[] {
    if (this.isEmpty) return [];
    return [...this.#open.values()].flatMap((one) => one.list());
  }

  /** What has been read between calls, so far. */
  taints(): Taint[] {
    return [...new Set([...this.#taints, ...[...this.#open.values()].flatMap((one) => one.taints?.() ?? [])])];
  }

  listKnown(): RunningProcess[] {
    if (this.isEmpty) return [];
    return [...this.#open.values()].flatMap((one) => one.listKnown());
  }

  /**
   * Ends everything; what is kept afterwards is another one. Also waits for an end that has begun before, and never rejects: the workspace
   * is saved next, and nothing may still write to it.
   */
  async close(): Promise<void> {
    if (this.isEmpty) {
      await this.#ending;
      return;
    }
    const ended = [...this.#open.values()];
    this.#open.clear();
    this.#ending = Promise.allSettled([this.#ending, ...ended.map((one) => one.close())]);
    await this.#ending;
    for (const taint of ended.flatMap((one) => one.taints?.() ?? [])) this.#taints.add(taint);
  }

  /** Closes everything permanently, because another worker now has the task. */
  async abandon(): Promise<void> {
    this.#isClosed = true;
    await this.close();
  }
}
