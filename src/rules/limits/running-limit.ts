/** What a limit of running tasks is for. */
export const limitScopes = ['account', 'project', 'key', 'external_user'] as const;
export type LimitScope = (typeof limitScopes)[number];

/** The id of a limit that holds for each person of a product who has none of their own. */
export const eachPerson = '';

/** More than any number of workers runs. */
export const mostRunningTasks = 1_000_000;

/** How many tasks of one scope run at once. */
export interface RunningLimit {
  scope: LimitScope;
  scopeId: string;
  tasks: number;
}

/** What limits apply to of a task. */
export interface LimitedTask {
  apiKeyId: string | null;
  projectId: string | null;
  externalUserId: string | null;
  /** The limit of this person alone; null without one. */
  personLimit: number | null;
}

/** What an account can have several limits for. */
export const partScopes = ['project', 'key', 'external_user'] as const satisfies readonly LimitScope[];
export type PartScope = (typeof partScopes)[number];

/** The free slots of an account's limits. Those of single people come with the tasks, because there may be very many. */
export class FreeSlots {
  /** Free slots of the account as a whole; infinite without a limit. */
  #ofAccount = Number.POSITIVE_INFINITY;
  /** The limit of each person who has none of their own; null for any number. */
  #ofEach: number | null = null;
  readonly #of: Record<PartScope, Map<string, number>> = { project: new Map(), key: new Map(), external_user: new Map() };

  constructor(limits: readonly RunningLimit[]) {
    for (const { scope, scopeId, tasks } of limits) {
      if (scope === 'account') this.#ofAccount = Math.min(this.#ofAccount, tasks);
      else if (scope === 'external_user' && scopeId === eachPerson) this.#ofEach = tasks;
      else this.#of[scope].set(scopeId, tasks);
    }
  }

  get ofAccount(): number {
    return Math.max(0, this.#ofAccount);
  }

  /** Projects, keys, or people all of whose slots are taken. */
  listFull(scope: PartScope): string[] {
    return [...this.#of[scope]].flatMap(([id, slots]) => (slots > 0 ? [] : [id]));
  }

  #slotsOf({ apiKeyId, projectId, externalUserId, personLimit }: LimitedTask): [Map<string, number>, string, number][] {
    const { key, project, external_user: people } = this.#of;
    const parts: [Map<string, number>, string | null, number | null][] = [
      [key, apiKeyId, null],
      [project, projectId, null],
      [people, externalUserId, personLimit ?? this.#ofEach],
    ];
    return parts.flatMap(([slots, id, most]) => {
      const free = id === null ? null : (slots.get(id) ?? most);
      return id === null || free === null ? [] : [[slots, id, free] as [Map<string, number>, string, number]];
    });
  }

  has(task: LimitedTask): boolean {
    return this.#ofAccount > 0 && this.#slotsOf(task).every(([, , free]) => free > 0);
  }

  /** Gives slots to tasks that run, whether any are free or not. */
  occupy(task: LimitedTask, count = 1): void {
    this.#ofAccount -= count;
    for (const [slots, id, free] of this.#slotsOf(task)) slots.set(id, free - count);
  }
}
