import { encodeInput, locate, readItems, readText, usageOf, type Wire, writeEvent } from './wire-format.ts';

const base = { id: 'chatcmpl_1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'mock' };
const finishReasons = { stop: 'stop', length: 'length', filter: 'content_filter' };

function writeDelta(delta: Record<string, unknown>, finishReason: string | null = null): string {
  return writeEvent({ ...base, choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

function roleOf(item: Record<string, unknown>): 'user' | 'assistant' | 'other' {
  return item['role'] === 'user' || item['role'] === 'assistant' ? item['role'] : 'other';
}

export const openaiChat: Wire = {
  name: 'openai-chat',
  serves: (path) => path.endsWith('/chat/completions'),
  read: (body) => locate(readItems(body, 'messages'), roleOf, (item) => readText(item['content'])),
  open: () => writeDelta({ role: 'assistant', content: '' }),
  reasoning: (text) => [writeDelta({ reasoning_content: text })],
  text: () => ({ start: '', piece: (text) => writeDelta({ content: text }), end: '' }),
  call: (call, id, index) => [
    writeDelta({ tool_calls: [{ index, id, type: 'function', function: { name: call.tool, arguments: '' } }] }),
    ...(call.pieces ?? [encodeInput(call)]).map((piece) =>
      writeDelta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ],
  close(step) {
    const usage = usageOf(step);
    const reason = step.calls?.length && !step.finish ? 'tool_calls' : finishReasons[step.finish ?? 'stop'];
    const counts = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached },
    };
    return `${writeDelta({}, reason)}${writeEvent({ ...base, choices: [], usage: counts })}data: [DONE]\n\n`;
  },
  error: (status) => ({ error: { message: `scripted failure ${status}`, type: 'scripted', param: null, code: null } }),
};
