import type { IncomingHttpHeaders } from 'node:http';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import type { ModelRequest } from '../model.ts';
import { ChatBodies } from './chat-body.ts';
import { ChatReply } from './chat-reply.ts';
import type { OpenReply, SendRequest } from './model-exchange.ts';
import type { ModelConnection, StreamOptions } from './model-connection.ts';

type Add = (part: LanguageModelV4StreamPart) => void;

/** A response with an error status; its fields are those that `toModelFault` reads. */
class RefusedExchange extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Record<string, string>;
  readonly data: unknown;

  constructor({ status, headers }: OpenReply, body: string) {
    const data = readError(body);
    super(data?.error.message ?? '');
    this.name = 'RefusedExchange';
    this.statusCode = status;
    this.responseHeaders = flatten(headers);
    this.data = data;
  }
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}

/** What the server says is wrong, if it says so in the usual form. */
function readError(body: string): { error: { message: string } } | null {
  try {
    const value = JSON.parse(body) as { error?: { message?: unknown } | null } | null;
    return typeof value?.error?.message === 'string' ? { error: { ...value.error, message: value.error.message } } : null;
  } catch {
    return null;
  }
}

function receive(reply: OpenReply, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  return new Promise((resolve, reject) => {
    reply.read({
      onChunk: (chunk) => onText(decoder.decode(chunk, { stream: true })),
      onEnd: () => resolve(),
      onError: reject,
    });
  });
}

async function readBody(reply: OpenReply): Promise<string> {
  const texts: string[] = [];
  await receive(reply, (text) => void texts.push(text));
  return texts.join('');
}

export interface ChatEndpoint {
  modelName: string;
  baseUrl: string;
  apiKey: string | undefined;
  send: SendRequest;
}

/**
 * The chat protocol of OpenAI, which most servers of models speak. A wire of our own: the provider package for it takes half of the
 * processor time of a task, for streams and checks (decision 47). Tests hold its requests and replies against that package.
 */
export class ChatConnection implements ModelConnection {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #bodies: ChatBodies;
  readonly #send: SendRequest;

  constructor({ modelName, baseUrl, apiKey, send }: ChatEndpoint) {
    this.#url = new URL(`${baseUrl.replace(/\/$/, '')}/chat/completions`);
    const credential = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
    this.#headers = { 'content-type': 'application/json', 'user-agent': 'Errand', ...credential };
    this.#bodies = new ChatBodies(modelName);
    this.#send = send;
  }

  async stream(request: ModelRequest, { signal, mode, effort }: StreamOptions, add: Add): Promise<void> {
    const body = this.#bodies.write(request, { mode, effort });
    const length = body.reduce((bytes, piece) => bytes + piece.length, 0);
    const headers = { ...this.#headers, 'content-length': String(length) };
    const reply = await this.#send({ url: this.#url, method: 'POST', headers, body, signal });
    if (reply.status < 200 || reply.status > 299) throw new RefusedExchange(reply, await readBody(reply));
    const parts = new ChatReply(add);
    const parser = createParser({ onEvent: ({ data }) => parts.read(data) });
    await receive(reply, (text) => parser.feed(text));
    parts.end();
  }
}
