import { isJsonObject } from '@errand/base/json-object.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from '../../test/support/models/anthropic-wire.ts';
import { google } from '../../test/support/models/google-wire.ts';
import type { CallRecord, Step } from '../../test/support/models/model-script.ts';
import { openaiChat } from '../../test/support/models/openai-chat-wire.ts';
import { openaiResponses } from '../../test/support/models/openai-responses-wire.ts';
import { playStep } from '../../test/support/models/reply-player.ts';
import { type Wire } from '../../test/support/models/wire-format.ts';

/** What a model sees of a request. */
export interface Seen {
  /** All texts of the request, in order, a line end between them. */
  text: string;
  lastUserText: string;
  /** Whether tools are offered: rows, summaries, and structured output are asked for without. */
  hasTools: boolean;
}

/** What the model answers: the same always, or what it makes of the request. */
export type Reply = Step | ((seen: Seen) => Step);

/** The replies of one conversation. */
export interface Part {
  match: (seen: Seen) => boolean;
  replies: readonly Reply[];
  /**
   * Whether replies are chosen by turns since the last user message, or one for each call, as needed where the conversation is shortened.
   */
  order?: 'turn' | 'call';
  repeatsLast?: boolean;
}

const wires = [openaiResponses, openaiChat, anthropic, google];

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isJsonObject(value) ? Object.values(value).flatMap(listTexts) : [];
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** A provider of models in this process that speaks the protocols of OpenAI, Anthropic, Google and the compatible ones. */
export class ScriptedModel {
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });
  #parts: readonly Part[] = [];
  readonly #served = new Map<Part, number>();
  /** Why a reply could not be made of a request: what it was to show was not there. */
  trouble: Error | null = null;
  /** The requests received since the current script began, oldest first. */
  requests: Seen[] = [];

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  /** The base URL, without the version of an API. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replaces the script; the first part that matches answers. */
  play(parts: readonly Part[]): void {
    this.#parts = parts;
    this.#served.clear();
    this.requests = [];
    this.trouble = null;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname;
    const wire = wires.find((each) => each.serves(path));
    const body = await readBody(request);
    if (!wire) {
      response.writeHead(404).end();
      return;
    }
    await playStep(wire, this.#choose(wire, body), response, {} as CallRecord);
  }

  #choose(wire: Wire, body: unknown): Step {
    const { lastUserText, turns } = wire.read(body);
    const tools = isJsonObject(body) ? body['tools'] : undefined;
    const hasTools = Array.isArray(tools) && tools.length > 0;
    const said = isJsonObject(body) ? (body['messages'] ?? body['input'] ?? body['contents']) : undefined;
    const seen: Seen = { text: listTexts([isJsonObject(body) ? body['system'] : '', said]).join('\n'), lastUserText, hasTools };
    this.requests.push(seen);
    const part = this.#parts.find(({ match }) => match(seen));
    if (!part) return { status: 400 };
    const served = this.#served.get(part) ?? 0;
    this.#served.set(part, served + 1);
    const reply = part.replies[part.order === 'call' ? served : turns] ?? (part.repeatsLast ? part.replies.at(-1) : undefined);
    if (reply === undefined) return { text: 'There is nothing left to do.' };
    try {
      return typeof reply === 'function' ? reply(seen) : reply;
    } catch (error) {
      this.trouble ??= error instanceof Error ? error : new Error(String(error));
      return { status: 400 };
    }
  }
}
