import type { LanguageModelV4Message } from '@ai-sdk/provider';
import type { ModelEffort } from '../../rules/instance/model-tuning.ts';
import type { TranscriptEntry } from '../../rules/context/transcript.ts';
import type { ModelRequest, ToolDefinition } from '../model.ts';
import { toChatMessages } from './chat-messages.ts';
import { askForJson, type EntryStyle, entryStyleOf, type SchemaMode, toMessages } from './provider-prompt.ts';
import { leastRemembered, SerializedPrefixes } from './serialized-prefix.ts';

/** What a call adds to its request. */
export interface ChatCall {
  mode: SchemaMode;
  effort?: ModelEffort | undefined;
}

const end = Buffer.from(',"stream":true,"stream_options":{"include_usage":true}}');
const usualStyle: EntryStyle = { images: undefined, place: 'messages', isPlain: false };

function serialize(messages: readonly LanguageModelV4Message[]): string {
  return messages
    .flatMap(toChatMessages)
    .map((message) => JSON.stringify(message))
    .join(',');
}

function serializeEntry(entry: TranscriptEntry, style: EntryStyle): string {
  return serialize(toMessages(entry, style));
}

const serializedTools = new WeakMap<readonly ToolDefinition[], Buffer>();

/** Cached: the same list is passed in every step of every task. */
function serializeTools(tools: readonly ToolDefinition[]): Buffer {
  const known = serializedTools.get(tools);
  if (known) return known;
  const offered = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  const bytes = Buffer.from(`,"tools":${JSON.stringify(offered)}`);
  serializedTools.set(tools, bytes);
  return bytes;
}

function replyFormat(schema: Record<string, unknown>, mode: SchemaMode): object {
  return mode === 'asked'
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: { schema, strict: true, name: 'response' } };
}

function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** Writes the bodies of the requests to one model. */
export class ChatBodies {
  readonly #modelName: string;
  readonly #prefixes = new SerializedPrefixes((entry) => serializeEntry(entry, usualStyle));
  #system = { text: '', json: '' };

  constructor(modelName: string) {
    this.#modelName = modelName;
  }

  /** The body in pieces, of which some are shared with other calls. */
  write(request: ModelRequest, { mode, effort }: ChatCall): Buffer[] {
    const { outputLimit, outputSchema, reminder, tools } = request;
    const settings = JSON.stringify({
      model: this.#modelName,
      ...(outputLimit !== undefined && { max_tokens: outputLimit }),
      ...(outputSchema && { response_format: replyFormat(outputSchema, mode) }),
      ...(effort !== undefined && { reasoning_effort: effort }),
    });
    const last = [
      ...(outputSchema && mode === 'asked' ? [askForJson(outputSchema)] : []),
      ...(reminder === undefined ? [] : [user(reminder)]),
    ];
    return [
      ...this.#join(`${settings.slice(0, -1)},"messages":[`, request, serialize(last)),
      ...(tools.length > 0 ? [serializeTools(tools)] : []),
      ...(tools.length > 0 && outputSchema ? [Buffer.from(',"tool_choice":"none"')] : []),
      end,
    ];
  }

  /** Everything up to the end of the messages. */
  #join(begin: string, request: ModelRequest, last: string): Buffer[] {
    const { transcript, images, outputSchema, system } = request;
    const first = system === '' ? '' : this.#serializeSystem(system);
    // Images come and go in a conversation, and structured output has messages of another form.
    const isRemembered = transcript.length >= leastRemembered && !images?.size && !outputSchema;
    const remembered = isRemembered ? this.#prefixes.take(transcript) : null;
    if (remembered?.length) {
      return [Buffer.from(begin + (first && `${first},`)), remembered, Buffer.from(`${last && `,${last}`}]`)];
    }
    const style = entryStyleOf(request, {});
    const messages = [first, ...transcript.map((entry) => serializeEntry(entry, style)), last];
    return [Buffer.from(`${begin}${messages.filter((text) => text !== '').join(',')}]`)];
  }

  /** Reuses the JSON of the previous call if the system prompt is the same, as it mostly is within one account. */
  #serializeSystem(text: string): string {
    if (text !== this.#system.text) this.#system = { text, json: JSON.stringify({ role: 'system', content: text }) };
    return this.#system.json;
  }
}
