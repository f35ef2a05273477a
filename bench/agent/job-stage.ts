import assert from 'node:assert/strict';
import { LocalService } from '../../test/support/service/local-service.ts';
import { isEnd, type Json, type PublicEvent, ServiceClient, statusIn } from '../../test/support/service/service-client.ts';
import type { WireName } from './job.ts';
import { Pages } from './pages.ts';
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

/** What a search finds, as SearXNG answers. */
interface Finding {
  title: string;
  url: string;
  content: string;
}

type Files = Record<string, string | Uint8Array>;

export interface WorkOptions {
  files?: Files | undefined;
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
  readonly #engine: Pages;
  readonly service: LocalService;
  readonly client: ServiceClient;
  /** The answer of the search engine, whatever the question. */
  readonly search: { results: Finding[] };

  private constructor(
    model: ScriptedModel,
    engine: Pages,
    { service, search }: { service: LocalService; search: { results: Finding[] } },
  ) {
    this.#model = model;
    this.#engine = engine;
    this.search = search;
    this.service = service;
    this.client = new ServiceClient(service);
  }

  static async start(wire: WireName): Promise<JobStage> {
    const model = await ScriptedModel.start();
    const search = { results: [] };
    const engine = await Pages.start(() => JSON.stringify(search));
    const env = {
      ERRAND_MODEL: models[wire],
      ERRAND_MODEL_BASE_URL: `${model.url}/${wire === 'google' ? 'v1beta' : 'v1'}`,
      ERRAND_MODEL_API_KEY: 'key',
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_MODEL_WINDOW: '128000',
      ERRAND_SEARCH: 'searxng',
      ERRAND_SEARCH_URL: engine.url,
    };
    return new JobStage(model, engine, { service: await LocalService.start({ env }), search });
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

  /** Runs the recipe of this name, as its page does, and waits for the end of its task. */
  async runRecipe(recipe: string, values: Record<string, string>, files: Files = {}): Promise<Outcome> {
    const given = { ...values };
    for (const [field, name] of Object.entries(values)) {
      const content = files[name];
      if (content !== undefined) given[field] = await this.#upload(name, content);
    }
    const { data } = await this.client.ask('recipe.list', { limit: 100 });
    const { id } = (data as Json[]).find(({ name }) => name === recipe) ?? {};
    const { task_id: taskId } = await this.client.ask('recipe.run', { recipe_id: id, values: given });
    return this.#await(String(taskId), isEnd);
  }

  /** Sends a message to a task and waits for its next end. */
  async goOn(taskId: string, content: string): Promise<Outcome> {
    const before = (await this.client.listEvents(taskId)).filter(isEnd).length;
    await this.client.ask('task.sendMessage', { task_id: taskId, message: { content } });
    let ends = 0;
    return this.#await(taskId, (event) => isEnd(event) && ++ends > before);
  }

  /** The id of the uploaded file. */
  async #upload(filename: string, content: string | Uint8Array): Promise<string> {
    const { file, upload_url: url } = await this.client.ask('file.upload', { filename });
    await fetch(String(url), { method: 'PUT', body: Buffer.from(content) });
    return String((file as Json).id);
  }

  /** Decks as PowerPoint has them, which readers of the stream get as pages. */
  async #listMessages(taskId: string): Promise<PublicEvent[]> {
    const query = { task_id: taskId, order: 'asc', limit: 200, slides_format: 'pptx' };
    return (await this.client.ask('task.listMessages', query))['messages'] as PublicEvent[];
  }

  async end(): Promise<void> {
    await this.service.end();
    await this.#model.stop();
    await this.#engine[Symbol.asyncDispose]();
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
