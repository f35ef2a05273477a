import type { Chance } from '../support/base/chance.ts';
import type { ServiceClient } from '../support/service/service-client.ts';
import { shownIds, type StoredTask } from '../support/tasks/task-audit.ts';
import { BusyClient } from './busy-client.ts';
import { StreamReader } from './stream-reader.ts';
import { WorkHistory } from './work-history.ts';

export interface CrowdOptions {
  client: ServiceClient;
  chance: Chance;
  clients: number;
  readersPerTask: number;
  /** Takes a 503 in the envelope for no answer, as while the database is away. */
  bearsUnavailable?: boolean;
}

const sharedTasks = 2;

/** Clients at work and readers of the tasks that they share, until it is stopped. */
export class Crowd {
  readonly history: WorkHistory;
  readonly #readers: readonly StreamReader[];
  readonly #clients: readonly Promise<void>[];
  readonly #end = new AbortController();

  private constructor(options: CrowdOptions, shared: readonly string[], history: WorkHistory) {
    const { client, chance, clients, readersPerTask } = options;
    this.history = history;
    this.#readers = shared.flatMap((taskId) =>
      Array.from({ length: readersPerTask }, () => new StreamReader({ client, chance: chance.fork(), history, taskId })),
    );
    this.#clients = Array.from({ length: clients }, (_, number) =>
      new BusyClient({ ...options, number, chance: chance.fork(), history, shared }).run(this.#end.signal),
    );
  }

  static async start(options: CrowdOptions): Promise<Crowd> {
    const history = new WorkHistory();
    const first = new BusyClient({ ...options, number: options.clients, chance: options.chance.fork(), history, shared: [] });
    const shared: string[] = [];
    while (shared.length < sharedTasks) {
      const taskId = await first.create();
      if (taskId !== null) shared.push(taskId);
    }
    return new Crowd(options, shared, history);
  }

  /** Connections that readers have made so far. */
  get connections(): number {
    return this.#readers.reduce((sum, { connections }) => sum + connections, 0);
  }

  /** Each client ends what it is at. */
  async endWork(): Promise<void> {
    this.#end.abort();
    this.history.setUp(true);
    await Promise.all(this.#clients);
  }

  /** Differences between what readers were sent over all their connections and what the logs hold. */
  async auditReaders(tasks: readonly StoredTask[]): Promise<string[]> {
    const problems: string[] = [];
    for (const reader of this.#readers) {
      const ids = tasks.filter(({ id }) => id === reader.taskId).flatMap(shownIds);
      await reader.waitFor(ids.at(-1));
      await reader.stop();
      const read = reader.events.map(({ id }) => id);
      if (read.join() !== ids.join()) problems.push(`task ${reader.taskId}: read ${read.join(' ')}, is ${ids.join(' ')}`);
    }
    return problems;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endWork();
    await Promise.all(this.#readers.map((reader) => reader.stop()));
  }
}
