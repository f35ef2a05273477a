import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../rules/context/transcript.ts';
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

it('counts a conversation that has grown, was cleared, or summarized as it counts a new one', () => {
  const entry = fc.string().map((text): TranscriptEntry => ({ role: 'user', text }));
  const change = fc.record({
    added: fc.array(entry),
    replaced: fc.option(fc.nat({ max: 40 })),
    from: fc.option(fc.nat({ max: 40 })),
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), fc.array(change), (begun, changes) => {
      let transcript = begun;
      for (const { added, replaced, from } of changes) {
        const cleared =
          replaced === null ? transcript : transcript.with(replaced % transcript.length, { role: 'user', text: '' });
        transcript = [cleared[0] ?? { role: 'user', text: '' }, ...cleared.slice(from ?? 1), ...added];
        const request = { system: 's', tools: [], transcript };
        expect(estimateInput(request)).toBe(estimateInput(structuredClone(request)));
      }
    }),
  );
});
