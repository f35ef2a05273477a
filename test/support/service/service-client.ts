import { takeErrorPage } from '../http/error-page.ts';
import { pause, systemClock } from '@errand/base/clock.ts';

export type Json = Record<string, unknown>;

export interface ServiceAnswer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface PublicEvent extends Json {
  id: string;
  type: string;
  timestamp: number;
}

/** Only for services that hang. */
const timeoutMs = 240_000;
const pollIntervalMs = 25;

/** Polls until `ask` returns a value; only for what gives no signal. Rejects after some minutes. */
export async function eventually<Value>(what: string, ask: () => Promise<Value | null>): Promise<Value> {
  const startedAt = systemClock.monotonic();
  for (;;) {
    const value = await ask();
    if (value !== null) return value;
    if (systemClock.monotonic() - startedAt > timeoutMs) throw new Error(`waited in vain: ${what}`);
    await pause(systemClock, pollIntervalMs);
  }
}

function isRead(operation: string): boolean {
  return /\.(detail|get|list|listMessages|stream|status|availableCredits|runs)$/.test(operation);
}

function queryOf(input: Json): string {
  return new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)])).toString();
}

/** A caller of the API over the network. */
export class ServiceClient {
  readonly url: string;
  readonly #key: string;

  constructor({ url, apiKey }: { url: string; apiKey: string }) {
    this.url = url;
    this.#key = apiKey;
  }

  /** Any answer of the service; rejects when there is none. */
  async call(operation: string, input: Json = {}, idempotencyKey?: string): Promise<ServiceAnswer> {
    const headers = {
      'x-service-api-key': this.#key,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = isRead(operation)
      ? await fetch(`${this.url}/v2/${operation}?${queryOf(input)}`, { headers, signal })
      : await fetch(`${this.url}/v2/${operation}`, { method: 'POST', headers, signal, body: JSON.stringify(input) });
    return { status: response.status, headers: response.headers, body: takeErrorPage((await response.json()) as Json) };
  }

  /** The body of a 200; rejects with any other answer. */
  async ask(operation: string, input: Json = {}): Promise<Json> {
    const { status, body } = await this.call(operation, input);
    if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async createTask(content: string): Promise<string> {
    return String((await this.ask('task.create', { message: { content } })).task_id);
  }

  async statusOf(taskId: string): Promise<string> {
    const { task } = (await this.ask('task.detail', { task_id: taskId })) as { task: { status: string } };
    return task.status;
  }

  /** The whole log as clients may see it, oldest first. */
  async listEvents(taskId: string): Promise<PublicEvent[]> {
    const events: PublicEvent[] = [];
    let cursor: unknown;
    do {
      const query = { task_id: taskId, order: 'asc', verbose: true, limit: 200, ...(cursor !== undefined && { cursor }) };
      const page = await this.ask('task.listMessages', query);
      events.push(...(page.messages as PublicEvent[]));
      cursor = page.has_more === true ? page.next_cursor : undefined;
    } while (cursor !== undefined);
    return events;
  }

  /** The status of every task, by id. */
  async listStatuses(): Promise<Map<string, string>> {
    const statuses = new Map<string, string>();
    let cursor: unknown;
    do {
      const page = await this.ask('task.list', { limit: 100, ...(cursor !== undefined && { cursor }) });
      for (const { id, status } of page.data as { id: string; status: string }[]) statuses.set(id, status);
      cursor = page.has_more === true ? page.next_cursor : undefined;
    } while (cursor !== undefined);
    return statuses;
  }

  /** One connection to a task's stream, events only, from behind `lastEventId`, until either side ends it. */
  async *stream(taskId: string, lastEventId: string | null, signal: AbortSignal): AsyncGenerator<PublicEvent> {
    const headers = { 'x-service-api-key': this.#key, ...(lastEventId !== null && { 'last-event-id': lastEventId }) };
    const response = await fetch(`${this.url}/v2/task.stream?${queryOf({ task_id: taskId, verbose: true })}`, {
      headers,
      signal,
    });
    if (response.status !== 200 || !response.body) throw new Error(`task.stream answered ${response.status}`);
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined && /^id: /m.test(block)) yield JSON.parse(data) as PublicEvent;
      }
    }
  }

  /** Reads the stream up to the first event that matches; the events so far. */
  async follow(taskId: string, isLast: (event: PublicEvent) => boolean, withinMs = timeoutMs): Promise<PublicEvent[]> {
    const seen: PublicEvent[] = [];
    for await (const event of this.stream(taskId, null, AbortSignal.timeout(withinMs))) {
      seen.push(event);
      if (isLast(event)) return seen;
    }
    throw new Error(`the stream of ${taskId} ended`);
  }
}

/** The status an event gives its task, null for other events. */
export function statusIn(event: PublicEvent | undefined): string | null {
  return event?.type === 'status_update' ? String((event.status_update as Json).agent_status) : null;
}

/** Whether an event ends a turn. */
export function isEnd(event: PublicEvent): boolean {
  const status = statusIn(event);
  return status === 'stopped' || status === 'error';
}
