import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Exchange, OpenExchange } from '../exchange.ts';
import type { PartSource } from '../part-source.ts';
import { writeChatBody } from './chat-body.ts';
import { ChatReply } from './chat-reply.ts';
import { EventReader } from './event-reader.ts';

/** Of a refusal. */
const longestRefusal = 64 * 1024;

export interface ChatEndpoint {
  modelName: string;
  baseUrl: string;
  apiKey: string | undefined;
}

/** An answer that is no reply, in the shape of the packages' errors, which is what failures are told by. */
class ChatRefusal extends Error {
  readonly statusCode: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly data: unknown;

  constructor({ status, headers }: Exchange, data: { error?: { message?: unknown } } | null) {
    const said = data?.error?.message;
    super(typeof said === 'string' ? said : '');
    this.statusCode = status;
    this.responseHeaders = headers;
    this.data = data;
  }
}

/** Reads a refusal to its end, as far as it is told. */
async function readRefusal(exchange: Exchange): Promise<ChatRefusal> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await exchange.read((chunk) => {
    if (bytes < longestRefusal) chunks.push(chunk);
    bytes += chunk.length;
  });
  try {
    return new ChatRefusal(exchange, JSON.parse(Buffer.concat(chunks).toString()) as { error?: object } | null);
  } catch {
    return new ChatRefusal(exchange, null);
  }
}

/** The chat wire of OpenAI, which most servers of models speak, without a package: it is where every microsecond shows. */
export function createChatModel({ modelName, baseUrl, apiKey }: ChatEndpoint, open: OpenExchange): PartSource {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/chat/completions`);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Errand',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return {
    async play(options: LanguageModelV4CallOptions, take: (part: LanguageModelV4StreamPart) => void) {
      const body = writeChatBody(modelName, options);
      const exchange = await open(url, { method: 'POST', headers, body, signal: options.abortSignal });
      if (exchange.status < 200 || exchange.status > 299) throw await readRefusal(exchange);
      const reply = new ChatReply(take);
      const events = new EventReader((data) => reply.hear(data));
      await exchange.read((chunk) => events.push(chunk));
      reply.end();
    },
  };
}
