import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4TextPart } from '@ai-sdk/provider';

type Content<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>['content'];
type AssistantPart = Content<'assistant'>[number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;

/** Google's models sign their calls, also behind this protocol, and want the signature back. */
function findSignature({ providerOptions }: CallPart): string {
  const found = providerOptions?.['compatible']?.['thoughtSignature'] ?? providerOptions?.['google']?.['thoughtSignature'];
  return typeof found === 'string' ? found : '';
}

function toCall(part: CallPart): object {
  const signature = findSignature(part);
  return {
    id: part.toolCallId,
    type: 'function',
    function: { name: part.toolName, arguments: JSON.stringify(part.input) },
    ...(signature !== '' && { extra_content: { google: { thought_signature: signature } } }),
  };
}

function joinTexts(parts: readonly AssistantPart[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

function toAssistantMessage(parts: Content<'assistant'>): object {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [toCall(part)] : []));
  const [text, reasoning] = [joinTexts(parts, 'text'), joinTexts(parts, 'reasoning')];
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function toUserPart(part: LanguageModelV4TextPart | LanguageModelV4FilePart): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const bytes = part.data.type === 'data' ? part.data.data : '';
  const data = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64');
  return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${data}` } };
}

function toUserMessage(parts: Content<'user'>): object {
  const [first] = parts;
  const isText = parts.length === 1 && first?.type === 'text';
  return { role: 'user', content: isText ? first.text : parts.map(toUserPart) };
}

function toResults(parts: Content<'tool'>): object[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool-result') return [];
    const { output } = part;
    const content = output.type === 'text' || output.type === 'error-text' ? output.value : '';
    return [{ role: 'tool', tool_call_id: part.toolCallId, content }];
  });
}

/** A message of a prompt as messages of the chat protocol. Its files are images, and the outputs of its results texts. */
export function toChatMessages(message: LanguageModelV4Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [toUserMessage(message.content)];
    case 'assistant':
      return [toAssistantMessage(message.content)];
    case 'tool':
      return toResults(message.content);
  }
}
