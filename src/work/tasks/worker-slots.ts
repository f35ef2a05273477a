import { mostSlotsOfOne } from '../../rules/instance/fair-share.ts';

/** The slots of a worker: those of the tasks that it holds, and of those that are being created for it. */
export class WorkerSlots {
  readonly #slots: number;
  readonly #byAccount = new Map<string, number>();
  /** Tasks by account and person of its product; those for nobody count as those of one more person, ''. */
  readonly #byPerson = new Map<string, [accountId: string, person: string, count: number]>();
  #taken = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  get free(): number {
    return this.#slots - this.#taken;
  }

  get taken(): number {
    return this.#taken;
  }

  /** How many slots one account may have. */
  get mostEach(): number {
    return mostSlotsOfOne(this.#slots);
  }

  /** The number of tasks held for each account that has any. */
  list(): [accountId: string, count: number][] {
    return [...this.#byAccount];
  }

  of(accountId: string): number {
    return this.#byAccount.get(accountId) ?? 0;
  }

  /** Whether the account has all the slots that it may have. */
  isFull(accountId: string): boolean {
    return this.of(accountId) >= this.mostEach;
  }

  /** Tasks held for each person of a product; '' for nobody. */
  listPeople(): [accountId: string, person: string, count: number][] {
    return [...this.#byPerson.values()];
  }

  #countPerson(accountId: string, person: string, change: number): void {
    const key = `${accountId} ${person}`;
    const count = (this.#byPerson.get(key)?.[2] ?? 0) + change;
    if (count > 0) this.#byPerson.set(key, [accountId, person, count]);
    else this.#byPerson.delete(key);
  }

  /** Takes a slot. `person` is the person of the account's product for whom the task runs. */
  take(accountId: string, person: string | null = null): void {
    this.#taken += 1;
    this.#byAccount.set(accountId, this.of(accountId) + 1);
    this.#countPerson(accountId, person ?? '', 1);
  }

  leave(accountId: string, person: string | null = null): void {
    this.#taken -= 1;
    const left = this.of(accountId) - 1;
    if (left > 0) this.#byAccount.set(accountId, left);
    else this.#byAccount.delete(accountId);
    this.#countPerson(accountId, person ?? '', -1);
  }
}
