import type { Step } from './model-script.ts';
import { encodeInput, locate, readItems, readText, usageOf, type Wire, writeEvent } from './wire-format.ts';

const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'mock' };

function write(type: string, fields: Record<string, unknown>): string {
  return writeEvent({ type, ...fields }, type);
}

function closeResponse(step: Step): string {
  const usage = usageOf(step);
  const reasons = { stop: null, length: { reason: 'max_output_tokens' }, filter: { reason: 'content_filter' } };
  const incomplete = reasons[step.finish ?? 'stop'];
  const type = incomplete ? 'response.incomplete' : 'response.completed';
  return write(type, {
    response: {
      ...response,
      incomplete_details: incomplete,
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: usage.cached },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    },
  });
}

function roleOf(item: Record<string, unknown>): 'user' | 'assistant' | 'other' {
  if (item['role'] === 'user') return 'user';
  const isAssistant = item['role'] === 'assistant' || item['type'] === 'function_call' || item['type'] === 'reasoning';
  return isAssistant ? 'assistant' : 'other';
}

export const openaiResponses: Wire = {
  name: 'openai-responses',
  serves: (path) => path.endsWith('/responses'),
  read: (body) => locate(readItems(body, 'input'), roleOf, (item) => readText(item['content'])),
  open: () => write('response.created', { response }) + write('response.in_progress', { response }),
  reasoning(text, index) {
    const id = `rs_${index}`;
    const at = { output_index: index };
    return [
      write('response.output_item.added', { ...at, item: { id, type: 'reasoning', summary: [], encrypted_content: null } }),
      write('response.reasoning_summary_part.added', { ...at, item_id: id, summary_index: 0 }),
      write('response.reasoning_summary_text.delta', { ...at, item_id: id, summary_index: 0, delta: text }),
      write('response.reasoning_summary_part.done', { ...at, item_id: id, summary_index: 0 }),
      write('response.output_item.done', {
        ...at,
        item: { id, type: 'reasoning', summary: [{ type: 'summary_text', text }], encrypted_content: `sealed:${text}` },
      }),
    ];
  },
  text(index) {
    const id = `msg_${index}`;
    const at = { output_index: index };
    return {
      start: write('response.output_item.added', { ...at, item: { id, type: 'message', role: 'assistant', content: [] } }),
      piece: (text) => write('response.output_text.delta', { ...at, item_id: id, content_index: 0, delta: text }),
      end: write('response.output_item.done', { ...at, item: { id, type: 'message', role: 'assistant', content: [] } }),
    };
  },
  call(call, callId, index) {
    const at = { output_index: index };
    const item = { id: `fc_${index}`, type: 'function_call', call_id: callId, name: call.tool };
    const input = encodeInput(call);
    return [
      write('response.output_item.added', { ...at, item: { ...item, arguments: '' } }),
      write('response.function_call_arguments.delta', { ...at, item_id: item.id, delta: input }),
      write('response.output_item.done', { ...at, item: { ...item, arguments: input, status: 'completed' } }),
    ];
  },
  close: closeResponse,
  error: (status) => ({ error: { message: `scripted failure ${status}`, type: 'scripted', param: null, code: null } }),
};
