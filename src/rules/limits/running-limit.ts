/** What a limit of running tasks is for. */
export const limitScopes = ['account', 'project', 'key'] as const;
export type LimitScope = (typeof limitScopes)[number];

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
}

/** The free places of an account's limits. */
export class FreePlaces {
  /** Of the account as a whole; infinite without a limit. */
  #ofAccount = Number.POSITIVE_INFINITY;
  readonly #of: Record<'project' | 'key', Map<string, number>> = { project: new Map(), key: new Map() };

  constructor(limits: readonly RunningLimit[]) {
    for (const { scope, scopeId, tasks } of limits) {
      if (scope === 'account') this.#ofAccount = Math.min(this.#ofAccount, tasks);
      else this.#of[scope].set(scopeId, tasks);
    }
  }

  get ofAccount(): number {
    return Math.max(0, this.#ofAccount);
  }

  /** Projects or keys all of whose places are taken. */
  listFull(scope: 'project' | 'key'): string[] {
    return [...this.#of[scope]].flatMap(([id, places]) => (places > 0 ? [] : [id]));
  }

  #placesOf({ apiKeyId, projectId }: LimitedTask): [Map<string, number>, string, number][] {
    const { key, project } = this.#of;
    return (
      [
        [key, apiKeyId],
        [project, projectId],
      ] as const
    ).flatMap(([places, id]) => {
      const free = id === null ? undefined : places.get(id);
      return id === null || free === undefined ? [] : [[places, id, free] as [Map<string, number>, string, number]];
    });
  }

  has(task: LimitedTask): boolean {
    return this.#ofAccount > 0 && this.#placesOf(task).every(([, , free]) => free > 0);
  }

  /** Gives places to tasks that run, whether any are free or not. */
  occupy(task: LimitedTask, count = 1): void {
    this.#ofAccount -= count;
    for (const [places, id, free] of this.#placesOf(task)) places.set(id, free - count);
  }
}
