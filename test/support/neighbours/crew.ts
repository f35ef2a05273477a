import { globSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, isEnd, type Json, type PublicEvent, type ServiceClient } from '../service/service-client.ts';

/** The file by which a command shows that it runs. */
export const mark = 'begun';

function readOutcome(events: readonly PublicEvent[]): string | null {
  const last = events.findLast(({ type }) => type === 'tool_used');
  return last ? String((last.tool_used as Json).description) : null;
}

/** Tasks of one account that do the same thing side by side, each replaced by a new one when it ends. */
export class Crew {
  readonly #client: ServiceClient;
  readonly #text: string;
  readonly #running = new Set<string>();
  readonly #lanes: Promise<void>[];
  readonly #waiting = new Set<() => void>();
  readonly #problems: unknown[] = [];
  #isEnding = false;
  /** What each tool call that ended had to say. */
  readonly outcomes: string[] = [];

  constructor(client: ServiceClient, text: string, atOnce: number) {
    this.#client = client;
    this.#text = text;
    this.#lanes = Array.from({ length: atOnce }, () => this.#work().catch((error: unknown) => void this.#problems.push(error)));
  }

  /** Resolves once this many commands have left their mark in their workspaces. */
  async waitForMarks(dataDir: string, count: number): Promise<void> {
    const countMarks = () => globSync(join(dataDir, 'workspaces', '*', '*', '*', mark)).length;
    await eventually('commands that have begun', () =>
      Promise.resolve(this.outcomes.length + countMarks() >= count ? true : null),
    );
  }

  /** Resolves once this many tool calls have ended. */
  async waitForOutcomes(count: number): Promise<void> {
    while (this.outcomes.length < count) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Stops its tasks and deletes what they left. Rejects if anything but its tasks failed. */
  async end(): Promise<void> {
    this.#isEnding = true;
    for (const taskId of this.#running) await this.#client.call('task.stop', { task_id: taskId });
    await Promise.all(this.#lanes);
    if (this.#problems.length > 0) throw new Error(`the hostile account met ${String(this.#problems[0])}`);
  }

  async #work(): Promise<void> {
    while (!this.#isEnding) await this.#runOne();
  }

  async #runOne(): Promise<void> {
    const taskId = await this.#client.createTask(this.#text);
    this.#running.add(taskId);
    // Created while the others were stopped.
    if (this.#isEnding) await this.#client.call('task.stop', { task_id: taskId });
    const outcome = readOutcome(await this.#client.follow(taskId, isEnd));
    this.#running.delete(taskId);
    await this.#client.ask('task.delete', { task_id: taskId });
    if (outcome === null) return;
    this.outcomes.push(outcome);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
