import { newId } from '@errand/base/ids.ts';
import type { ApiUnderTest, Json } from '../support/http/api-under-test.ts';
import { canary } from './hostile-values.ts';
import { type Input, type Published, writeRequest } from './published-api.ts';

/** What the account has, a few of each kind; what requests make joins them. */
export class Things {
  readonly #ids = new Map<string, string[]>([
    ['agent', ['agent-default']],
    ['task', ['agent-default-main_task']],
    ['path', ['people.md']],
  ]);

  add(kind: string, id: unknown): void {
    if (typeof id !== 'string') return;
    const ids = this.#ids.get(kind) ?? [];
    this.#ids.set(kind, [...ids.slice(-7), id]);
  }

  /** Of what an answer told. */
  learn(answer: Json): void {
    const { task_id, id, object, deleted, file, webhook, webhook_id } = answer;
    if (deleted === true) {
      for (const [kind, ids] of this.#ids)
        this.#ids.set(
          kind,
          ids.filter((known) => known !== id),
        );
      return;
    }
    this.add('task', task_id ?? (object === 'response' ? id : undefined));
    for (const kind of ['project', 'connector', 'skill', 'schedule', 'trigger', 'recipe', 'account', 'listener'])
      this.add(kind, (answer[kind] as Json | undefined)?.id);
    this.add('file', (file as Json | undefined)?.id ?? (object === 'file' ? id : undefined));
    this.add('webhook', (webhook as Json | undefined)?.id ?? webhook_id);
  }

  find(kind: string, index: number): string {
    const ids = this.#ids.get(kind) ?? [];
    return ids[index % Math.max(1, ids.length)] ?? newId(1);
  }
}

export interface Seen {
  count: number;
  ids: Set<string | null>;
  /** How often each operation did what it was asked to. */
  granted: Map<string, number>;
}

/** The first events of a stream that ends or does not. */
async function readStart(response: Response): Promise<Json[]> {
  const reader = response.body?.getReader();
  const first = (await reader?.read()) as { value?: Uint8Array } | undefined;
  await reader?.cancel();
  const text = new TextDecoder().decode(first?.value);
  return [...text.matchAll(/^id: \w+\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Json);
}

/** What requests are made to, and about. */
export interface World {
  api: ApiUnderTest;
  things: Things;
  /** What a request proves itself with. */
  headersOf(operation: Published): Promise<Record<string, string>>;
  /** Things that were made for this one request, because it uses them up. */
  prepare(operation: Published): Promise<Readonly<Record<string, string>>>;
}

/** Asks once; null when the answer is as published, otherwise what is wrong with it. */
export async function ask(
  { api, things, headersOf, prepare }: World,
  operation: Published,
  input: Input,
  seen: Seen,
  about: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const fresh = { ...about, ...(await prepare(operation)) };
  const { url, body } = writeRequest(operation, input, (kind, index) => fresh[kind] ?? things.find(kind, index));
  const headers = await headersOf(operation);
  if (body !== null) headers['content-type'] = 'application/json';
  if (input.idempotencyKey !== null) headers['idempotency-key'] = input.idempotencyKey;
  const response = await fetch(api.http.url() + url, { method: operation.method, headers, body });
  seen.ids.add(response.headers.get('x-request-id'));
  seen.count++;
  if (response.ok) seen.granted.set(operation.id, (seen.granted.get(operation.id) ?? 0) + 1);
  const wrong = (what: unknown) => ({ operation: operation.id, url, body: body?.slice(0, 2000), status: response.status, what });
  const { status } = response;
  if (status >= 500) return wrong(await response.text());
  if (operation.isStream && status === 200) {
    const events = await readStart(response);
    const bad = events.find((event) => !operation.success?.({ data: event }));
    return bad ? wrong([bad, operation.success?.errors]) : null;
  }
  const text = await response.text();
  if (operation.isBytes && status === 200) return null;
  if (status === 204) return operation.success === null && text === '' ? null : wrong(text);
  const answer = JSON.parse(text) as Json;
  const validate = response.ok ? operation.success : operation.failure;
  if (!validate?.(answer)) return wrong([answer, validate?.errors]);
  if (!operation.isLegacy && answer.request_id !== response.headers.get('x-request-id')) return wrong('two request ids');
  if (response.ok) things.learn(answer);
  return text.includes(canary) ? wrong('an unknown field comes back') : null;
}
