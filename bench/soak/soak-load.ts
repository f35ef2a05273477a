import type { ModelServer, Rule } from '../../test/support/models/model-server.ts';
import type { Chance } from '../../test/support/base/chance.ts';
import { isEnd, type Json, type ServiceClient } from '../../test/support/service/service-client.ts';
import { pause } from '../process/pause.ts';

/** What tasks of the load do, by a word of their message. */
export const soakScript: Rule[] = [
  { match: 'stream', steps: [{ text: Array.from({ length: 20 }, (_, index) => `piece ${index} `), frameDelayMs: 20 }] },
  {
    match: 'write',
    steps: [
      { calls: [{ tool: 'write_file', input: { path: 'notes.txt', content: 'x'.repeat(20_000) } }] },
      { calls: [{ tool: 'read_file', input: { path: 'notes.txt' } }] },
      { text: 'All written.' },
    ],
  },
  { match: 'shell', steps: [{ calls: [{ tool: 'run_shell', input: { command: 'seq 1000 > n; ls -l' } }] }, { text: 'Ran.' }] },
  {
    match: 'deliver',
    steps: [
      { calls: [{ tool: 'write_file', input: { path: 'report.md', content: `# Report\n\n${'A line of it.\n'.repeat(500)}` } }] },
      { calls: [{ tool: 'deliver', input: { files: [{ path: 'report.md' }] } }] },
      { text: 'Delivered.' },
    ],
  },
  { match: 'fail', order: 'call', repeatsLast: true, steps: [{ status: 400 }] },
  { match: '', steps: [{ text: 'Done.' }] },
];

/** Tasks that stay; older ones are deleted, so that the load alone makes nothing grow. */
const tasksThatStay = 30;
const idleMs = 20;

export interface LoadOptions {
  client: ServiceClient;
  model: ModelServer;
  chance: Chance;
  perMinute: number;
}

/** Visitors who come one after another at a fixed rate, and each do a little of everything. */
export class SoakLoad {
  readonly #options: LoadOptions;
  readonly #tasks: string[] = [];
  readonly #visits = new Set<Promise<void>>();
  #isEnding = false;
  visitCount = 0;
  readonly problems: string[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const startedMs = performance.now();
    const periodMs = 60_000 / this.#options.perMinute;
    while (!this.#isEnding) {
      const visit = this.#visit().catch((error: unknown) => void this.problems.push(String(error)));
      this.#visits.add(visit);
      void visit.then(() => this.#visits.delete(visit));
      this.visitCount += 1;
      while (!this.#isEnding && performance.now() - startedMs < this.visitCount * periodMs) await pause(idleMs);
    }
    await Promise.all(this.#visits);
  }

  /** Resolves when the visits in progress are over. */
  end(): void {
    this.#isEnding = true;
  }

  /** The model's records of calls would fill the memory of its process. */
  async deleteCalls(): Promise<void> {
    await this.#options.model.reset();
    await this.#options.model.script(soakScript);
  }

  async #visit(): Promise<void> {
    const { client, chance } = this.#options;
    const kind = chance.pick(['say', 'say', 'stream', 'stream', 'write', 'shell', 'deliver', 'fail', 'stop', 'upload', 'leave']);
    if (kind === 'upload') return this.#upload();
    const taskId = await client.createTask(kind === 'stop' || kind === 'leave' ? 'stream' : kind);
    this.#tasks.push(taskId);
    if (kind === 'stop') await client.ask('task.stop', { task_id: taskId });
    // A reader who goes away in the middle.
    else if (kind === 'leave') await client.follow(taskId, ({ type }) => type === 'user_message');
    else await client.follow(taskId, isEnd);
    if (chance.happens(0.3)) {
      await client.ask('task.sendMessage', { task_id: taskId, message: { content: 'say more' } });
      await client.listEvents(taskId);
    }
    await client.ask('task.list', { limit: 20 });
    await this.#deleteOldest();
  }

  async #deleteOldest(): Promise<void> {
    while (this.#tasks.length > tasksThatStay) await this.#options.client.ask('task.delete', { task_id: this.#tasks.shift() });
  }

  async #upload(): Promise<void> {
    const { client } = this.#options;
    const { upload_url: url, file } = await client.ask('file.upload', { filename: 'notes.txt' });
    const answer = await fetch(String(url), { method: 'PUT', body: 'x'.repeat(200_000) });
    if (!answer.ok) throw new Error(`the upload was answered ${answer.status}`);
    await client.ask('file.delete', { file_id: (file as Json)['id'] });
  }
}
