interface Owner<Item> {
  waiting: Item[];
  running: number;
  /** The turn number of its last turn. */
  lastTurn: number;
}

/**
 * Decides who is next when slots are scarce: the key that has waited longest, not the one with the most requests. No key has more than
 * `mostEach` slots at once, so that one stays free for the others.
 */
export class FairTurns<Item> {
  readonly #mostEach: number;
  readonly #owners = new Map<string, Owner<Item>>();
  #turns = 0;

  constructor(mostEach: number) {
    this.#mostEach = mostEach;
  }

  /** Takes a free slot for `owner` if allowed; returns whether it did. */
  begin(owner: string): boolean {
    const { waiting, running } = this.#find(owner);
    if (waiting.length > 0 || running >= this.#mostEach) return false;
    this.#start(owner);
    return true;
  }

  wait(owner: string, item: Item): void {
    this.#find(owner).waiting.push(item);
  }

  /** Removes a waiting request. */
  leave(owner: string, item: Item): void {
    const { waiting } = this.#find(owner);
    const at = waiting.indexOf(item);
    if (at >= 0) waiting.splice(at, 1);
    this.#remove(owner);
  }

  /** Releases a slot of `owner`. */
  end(owner: string): void {
    this.#find(owner).running -= 1;
    this.#remove(owner);
  }

  /** Gives a free slot to the next owner that may have it. */
  next(): Item | undefined {
    const able = [...this.#owners].filter(([, { waiting, running }]) => waiting.length > 0 && running < this.#mostEach);
    const [first] = able.toSorted(([, a], [, b]) => a.lastTurn - b.lastTurn);
    if (!first) return undefined;
    const [name, { waiting }] = first;
    this.#start(name);
    return waiting.shift();
  }

  get isEmpty(): boolean {
    return [...this.#owners.values()].every(({ waiting }) => waiting.length === 0);
  }

  #start(name: string): void {
    const owner = this.#find(name);
    owner.running += 1;
    owner.lastTurn = ++this.#turns;
  }

  #find(name: string): Owner<Item> {
    let owner = this.#owners.get(name);
    if (!owner) this.#owners.set(name, (owner = { waiting: [], running: 0, lastTurn: 0 }));
    return owner;
  }

  #remove(name: string): void {
    const { waiting, running } = this.#find(name);
    if (waiting.length === 0 && running === 0) this.#owners.delete(name);
  }
}
