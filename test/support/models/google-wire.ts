import { isJsonObject } from '@errand/base/json-object.ts';
import { locate, readItems, readText, usageOf, type Wire, writeEvent } from './wire-format.ts';

const finishReasons = { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' };

function writeParts(parts: Record<string, unknown>[], fields: Record<string, unknown> = {}): string {
  return writeEvent({ candidates: [{ content: { role: 'model', parts }, index: 0, ...fields }], modelVersion: 'mock' });
}

function roleOf(item: Record<string, unknown>): 'user' | 'assistant' | 'other' {
  if (item['role'] === 'model') return 'assistant';
  const parts = item['parts'];
  const holdsResults = Array.isArray(parts) && parts.some((part) => isJsonObject(part) && 'functionResponse' in part);
  return item['role'] === 'user' && !holdsResults ? 'user' : 'other';
}

/** Inputs are objects in this protocol; broken JSON cannot be scripted. */
function readInput(input: unknown): unknown {
  return typeof input === 'string' ? { value: input } : input;
}

export const google: Wire = {
  name: 'google',
  serves: (path) => path.includes(':streamGenerateContent'),
  read: (body) => locate(readItems(body, 'contents'), roleOf, (item) => readText(item['parts'])),
  open: () => '',
  reasoning: (text) => [writeParts([{ text, thought: true }])],
  text: () => ({ start: '', piece: (text) => writeParts([{ text }]), end: '' }),
  call: (call, id) => [
    writeParts([{ functionCall: { id, name: call.tool, args: readInput(call.input) }, thoughtSignature: `sealed:${call.tool}` }]),
  ],
  close(step) {
    const usage = usageOf(step);
    return writeEvent({
      candidates: [
        { content: { role: 'model', parts: [{ text: '' }] }, finishReason: finishReasons[step.finish ?? 'stop'], index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
        cachedContentTokenCount: usage.cached,
      },
    });
  },
  error: (status) => ({ error: { code: status, message: `scripted failure ${status}`, status: 'SCRIPTED' } }),
};
