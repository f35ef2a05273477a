import { expect, it } from 'vitest';
import { estimateInput, estimateUsage } from './token-estimate.ts';

it('counts one token per four characters of everything sent', () => {
  const transcript = [
    { role: 'user' as const, text: 'x'.repeat(400) },
    { role: 'assistant' as const, parts: [{ type: 'call' as const, id: 'c', tool: 't', input: 'y'.repeat(399) }] },
    { role: 'tool' as const, results: [{ callId: 'c', tool: 't', output: 'z'.repeat(400), isError: false }] },
  ];
  expect(estimateInput({ system: 'z'.repeat(398), transcript, tools: [] })).toBe(400);
  expect(estimateUsage({ system: '', transcript: [], tools: [] }, [{ type: 'text', text: 'abcde' }])).toEqual({
    input: 1,
    output: 2,
    cached: 0,
  });
});
