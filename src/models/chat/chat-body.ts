import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>;
type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number];
type AssistantParts = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type CallPart = Extract<AssistantParts[number], { type: 'tool-call' }>;
type ToolParts = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

function writeImage({ mediaType, data }: LanguageModelV4FilePart): object {
  if (data.type !== 'data' || typeof data.data === 'string') throw new Error('pictures are given as bytes');
  const { buffer, byteOffset, byteLength } = data.data;
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
}

function writeUser(parts: readonly UserPart[]): object {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text') return { role: 'user', content: only.text };
  return {
    role: 'user',
    content: parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : writeImage(part))),
  };
}

/** Google's chat server signs calls and wants that back; a task may have been moved here from another provider of Google's models. */
function findSignature(options: SharedV4ProviderOptions | undefined): string | null {
  const signature = options?.['compatible']?.['thoughtSignature'] ?? options?.['google']?.['thoughtSignature'];
  return typeof signature === 'string' && signature !== '' ? signature : null;
}

function writeCall({ toolCallId: id, toolName: name, input, providerOptions }: CallPart): object {
  const signature = findSignature(providerOptions);
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
    ...(signature !== null && { extra_content: { google: { thought_signature: signature } } }),
  };
}

function writeAssistant(parts: AssistantParts): object {
  const join = (type: 'text' | 'reasoning') => parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [writeCall(part)] : []));
  const [text, reasoning] = [join('text'), join('reasoning')];
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function writeOutput({ output }: LanguageModelV4ToolResultPart): string {
  return output.type === 'text' || output.type === 'error-text' ? output.value : JSON.stringify(output);
}

function writeResults(parts: ToolParts): object[] {
  return parts.flatMap((part) =>
    part.type === 'tool-result' ? [{ role: 'tool', tool_call_id: part.toolCallId, content: writeOutput(part) }] : [],
  );
}

function writeMessage(message: LanguageModelV4Message): object | object[] {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return writeUser(message.content);
    case 'assistant':
      return writeAssistant(message.content);
    case 'tool':
      return writeResults(message.content);
  }
}

function writeToolList(tools: Tools): string {
  const list = tools.flatMap((tool) => {
    if (tool.type !== 'function') return [];
    const { name, description, strict } = tool;
    const parameters: unknown = tool.inputSchema;
    return [{ type: 'function', function: { name, description, parameters, ...(strict !== undefined && { strict }) } }];
  });
  return JSON.stringify(list);
}

const toolTexts = new WeakMap<Tools, string>();

/** The largest part of most requests, and the same list with every step of every task. */
function writeTools(tools: Tools): string {
  const text = toolTexts.get(tools) ?? writeToolList(tools);
  toolTexts.set(tools, text);
  return text;
}

function writeFormat(format: LanguageModelV4CallOptions['responseFormat']): object {
  if (format?.type !== 'json') return {};
  if (!format.schema) return { response_format: { type: 'json_object' } };
  const { name = 'response' } = format;
  const schema: unknown = format.schema;
  return { response_format: { type: 'json_schema', json_schema: { schema, strict: true, name } } };
}

/** A streamed request to a chat server, as JSON. */
export function writeChatBody(model: string, options: LanguageModelV4CallOptions): string {
  const { prompt, tools, toolChoice, responseFormat, maxOutputTokens } = options;
  const head = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...writeFormat(responseFormat),
    ...(toolChoice && { tool_choice: toolChoice.type === 'tool' ? 'required' : toolChoice.type }),
    messages: prompt.flatMap(writeMessage),
  };
  const text = JSON.stringify(head);
  return tools === undefined ? text : `${text.slice(0, -1)},"tools":${writeTools(tools)}}`;
}
