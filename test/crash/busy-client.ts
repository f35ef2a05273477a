import { pause, systemClock } from '@errand/base/clock.ts';
import type { Chance } from '../support/base/chance.ts';
import type { Json, ServiceAnswer, ServiceClient } from '../support/service/service-client.ts';
import type { Act, WorkHistory } from './work-history.ts';

/** What a message asks for; the scripted model knows these words (see `workScript`). Files are written once a task, by its first. */
const requests = { create: ['quick', 'slow', 'work'], message: ['quick', 'slow'], stop: [''] } as const;

interface BusyParts {
  number: number;
  client: ServiceClient;
  chance: Chance;
  history: WorkHistory;
  /** Tasks that several clients talk to and readers follow. */
  shared: readonly string[];
  /** Takes a 503 in the envelope for no answer, as while the database is away. */
  bearsUnavailable?: boolean;
}

const retryMs = 50;

/** Creates, messages and stops tasks one after another, and writes down what it was answered. */
export class BusyClient {
  readonly #parts: BusyParts;
  readonly #ownTasks: string[] = [];
  #count = 0;
  #isEnding = false;

  constructor(parts: BusyParts) {
    this.#parts = parts;
  }

  async run(end: AbortSignal): Promise<void> {
    end.addEventListener('abort', () => {
      this.#isEnding = true;
    });
    while (!this.#isEnding) {
      await this.#parts.history.waitUntilUp();
      await this.#act();
    }
  }

  async #act(): Promise<void> {
    const { chance } = this.#parts;
    const draw = chance.fraction();
    const taskId = this.#chooseTask();
    if (taskId === null || draw < 0.4) await this.create();
    else if (draw < 0.75) await this.#perform('message', taskId);
    else await this.#perform('stop', taskId);
  }

  #chooseTask(): string | null {
    const { chance, shared } = this.#parts;
    const candidates = chance.happens(0.2) ? shared : this.#ownTasks.slice(-6);
    const [first, ...others] = candidates;
    return first === undefined ? null : chance.pick([first, ...others]);
  }

  /** Creates a task; its ID if the response arrived. */
  async create(): Promise<string | null> {
    const { taskId } = await this.#perform('create', null);
    if (taskId !== null) this.#ownTasks.push(taskId);
    return taskId;
  }

  async #perform(kind: Act['kind'], taskId: string | null): Promise<Act> {
    const { number, chance, history } = this.#parts;
    const token = `c${number}n${this.#count++}`;
    const isKeyed = kind !== 'stop' && chance.happens(0.5);
    const act = history.begin({ kind, client: number, token, taskId, isKeyed });
    const content = `${chance.pick(requests[kind])} [${token}]`;
    for (;;) {
      const answer = await this.#send(act, content).catch(() => null);
      if (answer && !this.#isUnavailable(answer)) return this.#settle(act, answer);
      if (answer) await pause(systemClock, retryMs);
      if (!isKeyed || this.#isEnding) {
        act.outcome = 'unknown';
        return act;
      }
      await history.waitUntilUp();
    }
  }

  #isUnavailable({ status, headers, body }: ServiceAnswer): boolean {
    if (this.#parts.bearsUnavailable !== true || status !== 503) return false;
    const { code } = (body.error ?? {}) as { code?: string };
    return body.ok === false && code === 'unavailable' && headers.has('retry-after');
  }

  #settle(act: Act, { status, body }: ServiceAnswer): Act {
    const { history } = this.#parts;
    if (status !== 200) {
      history.surprises.push(`${act.kind} ${act.token} was answered ${status}: ${JSON.stringify(body)}`);
      act.outcome = 'unknown';
      return act;
    }
    if (act.kind === 'create') act.taskId = String(body.task_id);
    history.acknowledge(act);
    return act;
  }

  #send({ kind, taskId, token, isKeyed }: Act, content: string): Promise<ServiceAnswer> {
    const { client } = this.#parts;
    const input: Json = taskId === null ? {} : { task_id: taskId };
    if (kind !== 'stop') input.message = { content };
    const operation = { create: 'task.create', message: 'task.sendMessage', stop: 'task.stop' }[kind];
    return client.call(operation, input, isKeyed ? token : undefined);
  }
}
