import type { TaskResources } from '../../tools/toolbox/task-resources.ts';

/**
 * Keeps the resources of only so many tasks of this process open between tool calls: sandboxes with their processes and sessions, and
 * browsers cost megabytes, and a process holds thousands of tasks that wait for models. Beyond the limit, the task whose last call is
 * longest ago loses its resources, and its next step begins with a message that lists what was still running.
 */
export class ResourcePool {
  readonly #capacity: number;
  /** Number of calls that run now. */
  readonly #busy = new Map<TaskResources, number>();
  /** Resources of tasks without a running call, least recently used first. */
  readonly #idle = new Set<TaskResources>();
  readonly #closing = new Map<TaskResources, Promise<void>>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Begins a call of the task, once nothing of the task is being closed. */
  async begin(resources: TaskResources): Promise<void> {
    this.#idle.delete(resources);
    this.#busy.set(resources, (this.#busy.get(resources) ?? 0) + 1);
    await this.#closing.get(resources);
  }

  end(resources: TaskResources): void {
    const calls = (this.#busy.get(resources) ?? 1) - 1;
    if (calls > 0) {
      this.#busy.set(resources, calls);
      return;
    }
    this.#busy.delete(resources);
    if (!resources.isEmpty) this.#idle.add(resources);
    const [oldest] = this.#idle;
    if (oldest && this.#busy.size + this.#idle.size > this.#capacity) this.#close(oldest);
  }

  /** Drops the resources of a task whose run is over; its worker closes them. */
  drop(resources: TaskResources): void {
    this.#idle.delete(resources);
    this.#busy.delete(resources);
  }

  #close(resources: TaskResources): void {
    this.#idle.delete(resources);
    const closing = resources.close().finally(() => this.#closing.delete(resources));
    this.#closing.set(resources, closing);
  }
}
