import type { ApiUnderTest, CallOptions, Json } from './api-under-test.ts';

/** One message of a stream; comments have the kind `comment`. */
export interface StreamMessage {
  kind: string;
  id: string | null;
  data: Json;
}

function parseBlock(block: string): StreamMessage | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    if (line.startsWith(':')) return { kind: 'comment', id: null, data: {} };
    const colon = line.indexOf(': ');
    fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get('data');
  if (data === undefined) return null;
  return { kind: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data: JSON.parse(data) as Json };
}

/** Reads a stream like a client: message by message, until either side ends it. */
export class EventReader {
  readonly headers: Headers;
  readonly #messages: AsyncGenerator<StreamMessage>;
  readonly #controller: AbortController;

  private constructor(response: Response, controller: AbortController) {
    this.headers = response.headers;
    this.#controller = controller;
    this.#messages = EventReader.#parse(response);
  }

  /** @throws when the stream is rejected */
  static async open(api: ApiUnderTest, query: Json, options: CallOptions = {}, path = '/v2/task.stream'): Promise<EventReader> {
    const controller = new AbortController();
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
    const response = await api.fetch(`${path}?${parameters.toString()}`, { signal: controller.signal }, options);
    if (response.status !== 200 || !response.body) throw new Error(`refused: ${response.status} ${await response.text()}`);
    return new EventReader(response, controller);
  }

  static async *#parse(response: Response): AsyncGenerator<StreamMessage> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parseBlock(block);
        if (message) yield message;
      }
    }
  }

  /** The next message; null when the service has ended the stream. */
  async next(): Promise<StreamMessage | null> {
    const message = await this.#messages.next();
    return message.done ? null : message.value;
  }

  async take(count: number): Promise<StreamMessage[]> {
    const taken: StreamMessage[] = [];
    while (taken.length < count) {
      const message = await this.next();
      if (!message) throw new Error(`the stream ended after ${taken.length} of ${count} messages`);
      taken.push(message);
    }
    return taken;
  }

  /** Everything until the service ends it. */
  async rest(): Promise<StreamMessage[]> {
    const messages: StreamMessage[] = [];
    for await (const message of this.#messages) messages.push(message);
    return messages;
  }

  /** Disconnects abruptly. */
  leave(): void {
    this.#controller.abort();
  }
}
