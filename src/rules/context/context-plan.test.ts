import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContextStep, planContext, type ContextBudget } from './context-plan.ts';
import { applyClearing, applyCompaction, findClearedPath } from './rewriting.ts';
import type { TranscriptEntry } from './transcript.ts';

const window = 32_000;
const lengthOf = (entry: TranscriptEntry): number => {
  if (entry.role === 'user') return entry.text.length;
  if (entry.role === 'tool') return entry.results.reduce((length, { output }) => length + output.length, 0);
  return entry.parts.reduce((length, part) => length + (part.type === 'call' ? JSON.stringify(part.input) : part.text).length, 0);
};

function budgetOf(base: number, ratio = 1): ContextBudget {
  const sizeOf = (entry: TranscriptEntry) => (lengthOf(entry) / 4) * ratio;
  return { window, outputLimit: 8000, base, sizeOf, charactersPerToken: 4 / ratio };
}

function totalOf(transcript: readonly TranscriptEntry[], budget: ContextBudget): number {
  return transcript.reduce((total, entry) => total + budget.sizeOf(entry), budget.base);
}

type Talk = { transcript: TranscriptEntry[]; clearedBefore: number };

/** What the agent makes of a step, with a summary as long as fits. */
function carryOut({ transcript }: Talk, step: ContextStep, budget: ContextBudget): Talk {
  if (step.do === 'clear') {
    const results = step.cuts.map((cut) => ({ ...cut, path: `.tool-output/${cut.entry}-${cut.result}.txt` }));
    const { before } = step;
    return { transcript: applyClearing(transcript, { type: 'context_cleared', before, results }), clearedBefore: before };
  }
  const summary = 's'.repeat(Math.floor(step.summaryTokens * budget.charactersPerToken));
  const usage = { input: 0, output: 0, cached: 0 };
  const { kept, from } = step;
  return { transcript: applyCompaction(transcript, { type: 'compacted', summary, kept, from, usage }), clearedBefore: 0 };
}

/** Every call has its result in the entry behind it, in order, and no result is without a call. */
function findUnpaired(transcript: readonly TranscriptEntry[]): string[] {
  return transcript.flatMap((entry, at) => {
    const next = transcript[at + 1];
    const before = transcript[at - 1];
    const calls = entry.role === 'assistant' ? entry.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [];
    const results = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [];
    if (entry.role === 'tool' && before?.role !== 'assistant') return [`entry ${at} answers nothing`];
    return entry.role === 'assistant' && calls.join() !== results.join() ? [`calls ${calls.join()} have ${results.join()}`] : [];
  });
}

const happening = fc.oneof(
  { weight: 1, arbitrary: fc.record({ said: fc.integer({ min: 1, max: 8_000 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      text: fc.integer({ min: 0, max: 2_000 }),
      input: fc.integer({ min: 0, max: 20_000 }),
      outputs: fc.array(fc.integer({ min: 0, max: 16_384 }), { minLength: 1, maxLength: 8 }),
    }),
  },
);
type Happening = { said: number } | { text: number; input: number; outputs: number[] };

function add(transcript: readonly TranscriptEntry[], event: Happening, at: number): TranscriptEntry[] {
  if ('said' in event) return [...transcript, { role: 'user', text: `${at} `.padEnd(event.said, 'u') }];
  const { text, input, outputs } = event;
  const calls = outputs.map((_, index) => ({
    type: 'call' as const,
    id: `c${at}-${index}`,
    tool: 't',
    input: index === 0 ? 'i'.repeat(input) : {},
  }));
  const results = outputs.map((length, index) => ({
    callId: `c${at}-${index}`,
    tool: 't',
    output: 'o'.repeat(length),
    isError: false,
  }));
  return [
    ...transcript,
    { role: 'assistant', parts: [{ type: 'text', text: 'x'.repeat(text) }, ...calls] },
    { role: 'tool', results },
  ];
}

/** Compacts as the agent does before a call, and counts how often. */
function compactAll(talk: Talk, budget: ContextBudget): { talk: Talk; steps: ContextStep['do'][] } {
  const steps: ContextStep['do'][] = [];
  let current = talk;
  for (let step = planContext(current, budget); step; step = planContext(current, budget)) {
    steps.push(step.do);
    if (steps.length > 6) throw new Error(`no end: ${steps.join()}`);
    current = carryOut(current, step, budget);
  }
  return { talk: current, steps };
}

describe('planContext', () => {
  it('always keeps every prompt within the window, and calls together with their results', () => {
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 0, max: 8000 }),
        fc.double({ min: 1, max: 2, noNaN: true }),
        (happenings, base, ratio) => {
          const budget = budgetOf(base, ratio);
          let talk: Talk = { transcript: [{ role: 'user', text: 'The task.' }], clearedBefore: 0 };
          for (const [at, event] of happenings.entries()) {
            talk = compactAll({ ...talk, transcript: add(talk.transcript, event, at) }, budget).talk;
            expect(totalOf(talk.transcript, budget)).toBeLessThanOrEqual(window - budget.outputLimit);
            expect(findUnpaired(talk.transcript)).toEqual([]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does nothing while the prompt takes less than 60 % of the window', () => {
    const talk = { transcript: add([], { text: 0, input: 0, outputs: [16_000, 16_000, 16_000, 16_000] }, 1), clearedBefore: 0 };
    expect(planContext(talk, budgetOf(0))).toBeNull();
    expect(planContext(talk, budgetOf(window * 0.6 - 15_990))).not.toBeNull();
  });

  it('clears old results first and keeps the latest', () => {
    let transcript: TranscriptEntry[] = [{ role: 'user', text: 'The task.' }];
    for (let at = 0; at < 10; at++) transcript = add(transcript, { text: 10, input: 10, outputs: [8_000] }, at);
    const step = planContext({ transcript, clearedBefore: 0 }, budgetOf(0));
    expect(step).toMatchObject({ do: 'clear' });
    const cut = step?.do === 'clear' ? step.cuts.map(({ entry }) => entry) : [];
    expect(cut).toEqual([2, 4, 6, 8, 10, 12, 14]);
  });

  it('cuts no result that the model has not read while there are old ones to clear', () => {
    let transcript: TranscriptEntry[] = [{ role: 'user', text: 'The task.' }];
    for (let at = 0; at < 4; at++) transcript = add(transcript, { text: 10, input: 10, outputs: [24_000] }, at);
    const budget = budgetOf(4_000);
    const { talk, steps } = compactAll({ transcript, clearedBefore: 0 }, budget);
    expect(steps).toEqual(['clear']);
    expect(talk.transcript.at(-1)).toEqual(transcript.at(-1));
  });

  it('says of a result that is cut from which line on the rest can be read', () => {
    const output = Array.from({ length: 200 }, (_, at) => `${at + 1}`.padEnd(99, 'o')).join('\n');
    const transcript: TranscriptEntry[] = [{ role: 'tool', results: [{ callId: 'c', tool: 't', output, isError: false }] }];
    const results = [{ entry: 0, result: 0, head: 1_050, path: 'full.txt' }];
    const [cut] = applyClearing(transcript, { type: 'context_cleared', before: 0, results });
    const shown = cut?.role === 'tool' ? (cut.results[0]?.output ?? '') : '';
    expect(shown).toMatch(/The full text is in full\.txt: read_file it from line 11 on if it is needed\.\]$/);
    expect(findClearedPath(shown)).toBe('full.txt');
  });

  it('summarizes the rest if clearing is not enough, and keeps user messages verbatim', () => {
    let transcript: TranscriptEntry[] = [{ role: 'user', text: 'The task.' }];
    for (let at = 0; at < 20; at++) transcript = add(transcript, { text: 2_000, input: 3_000, outputs: [10] }, at);
    const { talk, steps } = compactAll({ transcript, clearedBefore: 0 }, budgetOf(0));
    expect(steps).toEqual(['compact']);
    expect(talk.transcript[0]).toMatchObject({ role: 'user', isSummary: true });
    expect(talk.transcript[1]).toEqual({ role: 'user', text: 'The task.' });
    expect(talk.transcript.at(-1)).toEqual(transcript.at(-1));
  });

  it('does not touch a conversation if the tools alone fill the window', () => {
    const transcript: TranscriptEntry[] = [{ role: 'user', text: 'The task.' }];
    expect(planContext({ transcript, clearedBefore: 0 }, budgetOf(30_000))).toBeNull();
  });

  it('summarizes even a single message that exceeds the window', () => {
    const transcript: TranscriptEntry[] = [{ role: 'user', text: 'u'.repeat(150_000) }];
    const budget = budgetOf(5000);
    expect(totalOf(compactAll({ transcript, clearedBefore: 0 }, budget).talk.transcript, budget)).toBeLessThan(window / 2);
  });
});
