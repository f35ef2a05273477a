import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addTrace, type CallTrace, noteRepeat, refuseRepeat } from './repetition.ts';

const call = (input: unknown) => ({ type: 'call' as const, id: 'c', tool: 'look', input });

it('rejects a call only after four identical calls with identical results, however calls are mixed', () => {
  const step = fc.record({ input: fc.nat({ max: 2 }), output: fc.constantFrom('a', 'a', 'a', 'b') });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let traces: CallTrace[] = [];
      for (const { input, output } of steps) traces = addTrace(traces, call(input), 'success', output);
      for (const input of [0, 1, 2]) {
        const own = steps.slice(-16).filter((each) => each.input === input);
        const same = own.toReversed().findIndex(({ output }) => output !== own.at(-1)?.output);
        const count = same === -1 ? own.length : same;
        expect(refuseRepeat(traces, call(input)) !== null).toBe(count >= 4);
        expect(noteRepeat({ traces, results: [] }, call(input), 'success', 'a') !== null).toBe(
          count >= 2 && own.at(-1)?.output === 'a',
        );
      }
    }),
  );
});

it('does not blame a failed call for repeating itself after another call of the same reply failed', () => {
  const traces = [1, 2, 3].reduce<CallTrace[]>((before) => addTrace(before, call(1), 'error', 'does not exist'), []);
  const after = (tool: string, isError: boolean) => ({
    traces,
    results: [{ callId: 'm', tool, output: '', isError }],
  });
  expect(noteRepeat(after('make', true), call(1), 'error', 'does not exist')).toBeNull();
  expect(noteRepeat(after('make', false), call(1), 'error', 'does not exist')).toContain('4th time');
  expect(noteRepeat(after('look', true), call(1), 'error', 'does not exist')).toContain('4th time');
});
