import { isJsonObject } from '@errand/base/json-object.ts';
import { encodeInput, locate, readItems, readText, usageOf, type Wire, writeEvent } from './wire-format.ts';

const finishReasons = { stop: 'end_turn', length: 'max_tokens', filter: 'refusal' };
const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function write(type: string, fields: Record<string, unknown>): string {
  return writeEvent({ type, ...fields }, type);
}

function writeBlock(index: number, start: Record<string, unknown>, deltas: Record<string, unknown>[]): string[] {
  return [
    write('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => write('content_block_delta', { index, delta })),
    write('content_block_stop', { index }),
  ];
}

function roleOf(item: Record<string, unknown>): 'user' | 'assistant' | 'other' {
  if (item['role'] === 'assistant') return 'assistant';
  const content = item['content'];
  const holdsResults = Array.isArray(content) && content.some((part) => isJsonObject(part) && part['type'] === 'tool_result');
  return item['role'] === 'user' && !holdsResults ? 'user' : 'other';
}

export const anthropic: Wire = {
  name: 'anthropic',
  serves: (path) => path.endsWith('/messages'),
  read: (body) => locate(readItems(body, 'messages'), roleOf, (item) => readText(item['content'])),
  open() {
    const usage = { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'mock', content: [], stop_reason: null, usage };
    return write('message_start', { message }) + write('ping', {});
  },
  reasoning: (text, index) =>
    writeBlock(index, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: text },
      { type: 'signature_delta', signature: `sealed:${text}` },
    ]),
  text: (index) => ({
    start: write('content_block_start', { index, content_block: { type: 'text', text: '' } }),
    piece: (text) => write('content_block_delta', { index, delta: { type: 'text_delta', text } }),
    end: write('content_block_stop', { index }),
  }),
  call: (call, id, index) =>
    writeBlock(index, { type: 'tool_use', id, name: call.tool, input: {} }, [
      { type: 'input_json_delta', partial_json: encodeInput(call) },
    ]),
  close(step) {
    const usage = usageOf(step);
    const reason = step.calls?.length && !step.finish ? 'tool_use' : finishReasons[step.finish ?? 'stop'];
    const counts = {
      input_tokens: usage.input - usage.cached - usage.written,
      cache_creation_input_tokens: usage.written,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.output,
    };
    return (
      write('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: counts }) + write('message_stop', {})
    );
  },
  error: (status) => ({
    type: 'error',
    error: { type: errorTypes[status] ?? 'api_error', message: `scripted failure ${status}` },
  }),
};
