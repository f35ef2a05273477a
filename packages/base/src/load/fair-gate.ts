export interface FairGateOptions {
  /** How much fits at once: slots, or bytes. */
  capacity: number;
  /** The share of one owner; by default half, so that one owner alone never keeps another waiting. */
  mostEach?: number;
}

/** The account and person who want a slot. */
export interface Entrant {
  /** The account that the work is for; work of no account shares the owner ''. */
  owner: string;
  /** Aborts the wait. */
  signal: AbortSignal;
}

export interface Entry extends Entrant {
  /** How much of the capacity it takes; default 1. What exceeds the owner's share takes the whole share. */
  amount?: number;
}

interface Waiting {
  amount: number;
  start(): void;
}

interface Owner {
  waiting: Waiting[];
  held: number;
  /** The turn in which the entry was last admitted, or began to wait. */
  since: number;
}

/**
 * Divides what is scarce (threads, connections, memory) between accounts. The next to enter is from the owner that holds least, and among
 * equals from the one that has waited longest, however many requests the others have queued. One that needs much is not passed forever by
 * others that need little: they wait behind it.
 */
export class FairGate {
  readonly #capacity: number;
  readonly #mostEach: number;
  readonly #owners = new Map<string, Owner>();
  #held = 0;
  #turns = 0;

  constructor({ capacity, mostEach = Math.ceil(capacity / 2) }: FairGateOptions) {
    this.#capacity = capacity;
    this.#mostEach = mostEach;
  }

  /** Waits for a slot; resolves with the function that gives it back, or rejects with the signal's reason. */
  async enter({ owner, signal, amount = 1 }: Entry): Promise<() => void> {
    signal.throwIfAborted();
    const taken = Math.min(amount, this.#mostEach);
    await this.#wait(owner, taken, signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#leave(owner, taken);
      isHeld = false;
    };
  }

  /** Runs `work` while holding a slot. */
  async run<Result>(entry: Entry, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(entry);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #wait(name: string, amount: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const owner = this.#find(name);
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting = { amount, start };
      const giveUp = () => {
        owner.waiting.splice(owner.waiting.indexOf(waiting), 1);
        this.#remove(name, owner);
        reject(signal.reason);
        // The others may have waited for this one.
        this.#admit();
      };
      owner.waiting.push(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#admit();
    });
  }

  #leave(name: string, amount: number): void {
    const owner = this.#find(name);
    owner.held -= amount;
    this.#held -= amount;
    this.#remove(name, owner);
    this.#admit();
  }

  #admit(): void {
    for (let owner = this.#choose(); owner; owner = this.#choose()) {
      const [next] = owner.waiting;
      if (!next || this.#held + next.amount > this.#capacity) return;
      owner.waiting.shift();
      owner.held += next.amount;
      owner.since = ++this.#turns;
      this.#held += next.amount;
      next.start();
    }
  }

  /** The next to be admitted; undefined if all who wait already have their share. */
  #choose(): Owner | undefined {
    let chosen: Owner | undefined;
    for (const owner of this.#owners.values()) {
      const [next] = owner.waiting;
      if (!next || owner.held + next.amount > this.#mostEach) continue;
      if (!chosen || owner.held < chosen.held || (owner.held === chosen.held && owner.since < chosen.since)) chosen = owner;
    }
    return chosen;
  }

  #find(name: string): Owner {
    const known = this.#owners.get(name);
    if (known) return known;
    const owner = { waiting: [], held: 0, since: ++this.#turns };
    this.#owners.set(name, owner);
    return owner;
  }

  #remove(name: string, { waiting, held }: Owner): void {
    if (waiting.length === 0 && held === 0) this.#owners.delete(name);
  }
}
