import assert from 'node:assert/strict';
import { LocalService } from '../../test/support/service/local-service.ts';
import { isEnd, type Json, type PublicEvent, ServiceClient, statusIn } from '../../test/support/service/service-client.ts';
import type { WireName } from './job.ts';
import { type Part, ScriptedModel, type Seen } from './scripted-model.ts';

/** What became of one request to an agent. */
export interface Outcome {
  taskId: string;
  events: PublicEvent[];
  /** The last message to the user. */
  answer: string;
  /** What was delivered, by name. */
  files: ReadonlyMap<string, Buffer>;
  /** What the model was shown, oldest first. */
  requests: readonly Seen[];
}

export interface WorkOptions {
  files?: Record<string, string | Uint8Array> | undefined;
  more?: Record<string, unknown> | undefined;
}

const models: Record<WireName, string> = {
  compatible: 'compatible/some-model',
  openai: 'openai/gpt-5',
  anthropic: 'anthropic/claude-sonnet-4-5',
  google: 'google/gemini-2.5-pro',
};

function encodeFile([filename, content]: [string, string | Uint8Array]): Json {
  const data = Buffer.from(content).toString('base64');
  return { type: 'file', filename, file_data: `data:application/octet-stream;base64,${data}` };
}

/** The delivered files of the messages, the newest of each name. */
async function fetchFiles(events: readonly PublicEvent[]): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const event of events) {
    const { attachments = [] } = (event['assistant_message'] ?? {}) as { attachments?: { filename: string; url: string }[] };
    for (const { filename, url } of attachments) {
      files.set(filename, Buffer.from(await (await fetch(url)).arrayBuffer()));
    }
  }
  return files;
}

function findAnswer(events: readonly PublicEvent[]): string {
  const last = events.findLast(({ type }) => type === 'assistant_message')?.['assistant_message'];
  return (last as { content?: string } | undefined)?.content ?? '';
}

/** A running service whose models are scripted. */
export class JobStage {
  readonly #model: ScriptedModel;
  readonly service: LocalService;
  readonly client: ServiceClient;

  private constructor(model: ScriptedModel, service: LocalService) {
    this.#model = model;
    this.service = service;
    this.client = new ServiceClient(service);
  }

  static async start(wire: WireName): Promise<JobStage> {
    const model = await ScriptedModel.start();
    const env = {
      ERRAND_MODEL: models[wire],
      ERRAND_MODEL_BASE_URL: `${model.url}/${wire === 'google' ? 'v1beta' : 'v1'}`,
      ERRAND_MODEL_API_KEY: 'key',
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_MODEL_WINDOW: '128000',
    };
    return new JobStage(model, await LocalService.start({ env }));
  }

  /** Calls of the model since the last script. */
  get steps(): number {
    return this.#model.requests.length;
  }

  script(parts: readonly Part[]): void {
    this.#model.play(parts);
  }

  /** Gives a task to an agent and waits for its end; rejects if that is an error. */
  async work(text: string, { files = {}, more = {} }: WorkOptions = {}): Promise<Outcome> {
    const given = Object.entries(files).map(encodeFile);
    const content = given.length === 0 ? text : [{ type: 'text', text }, ...given];
    const { task_id: taskId } = await this.client.ask('task.create', { message: { content }, ...more });
    return this.#await(String(taskId), isEnd);
  }

  /** Sends a message to a task and waits for its next end. */
  async goOn(taskId: string, content: string): Promise<Outcome> {
    const before = (await this.client.listEvents(taskId)).filter(isEnd).length;
    await this.client.ask('task.sendMessage', { task_id: taskId, message: { content } });
    let ends = 0;
    return this.#await(taskId, (event) => isEnd(event) && ++ends > before);
  }

  /** Decks as PowerPoint has them, which readers of the stream get as pages. */
  async #listMessages(taskId: string): Promise<PublicEvent[]> {
    const query = { task_id: taskId, order: 'asc', limit: 200, slides_format: 'pptx' };
    return (await this.client.ask('task.listMessages', query))['messages'] as PublicEvent[];
  }

  async end(): Promise<void> {
    await this.service.end();
    await this.#model.stop();
  }

  async #await(taskId: string, isLast: (event: PublicEvent) => boolean): Promise<Outcome> {
    const events = await this.client.follow(taskId, isLast, 1_800_000);
    if (this.#model.trouble !== null) throw this.#model.trouble;
    const trouble = JSON.stringify(events.filter(({ type }) => type === 'error_message'));
    assert.equal(statusIn(events.at(-1)), 'stopped', trouble);
    return {
      taskId,
      events,
      answer: findAnswer(events),
      files: await fetchFiles(await this.#listMessages(taskId)),
      requests: this.#model.requests,
    };
  }
}
