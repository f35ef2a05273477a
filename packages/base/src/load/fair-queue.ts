interface Owner<Item> {
  waiting: Item[];
  running: number;
  /** When it last had a turn, as a number of turns. */
  lastTurn: number;
}

/**
 * Who is next when slots are scarce: the key that has waited the longest, not the one with the most requests. Nobody
 * has more than `mostEach` places at once, so that one stays for the others.
 */
export class FairTurns<Item> {
  readonly #mostEach: number;
  readonly #owners = new Map<string, Owner<Item>>();
  #turns = 0;

  constructor(mostEach: number) {
    this.#mostEach = mostEach;
  }

  /** Whether `owner` may take a place that is free now; if so, it has. */
  begin(owner: string): boolean {
    const { waiting, running } = this.#find(owner);
    if (waiting.length > 0 || running >= this.#mostEach) return false;
    this.#start(owner);
    return true;
  }

  wait(owner: string, item: Item): void {
    this.#find(owner).waiting.push(item);
  }

  /** Takes back what has not had its turn. */
  leave(owner: string, item: Item): void {
    const { waiting } = this.#find(owner);
    const at = waiting.indexOf(item);
    if (at >= 0) waiting.splice(at, 1);
    this.#remove(owner);
  }

  /** A place of `owner` is free again. */
  end(owner: string): void {
    this.#find(owner).running -= 1;
    this.#remove(owner);
  }

  /** Gives a free place to the next who waits for one and may have it. */
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
