import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import type { PlanStep } from '../../rules/events/task-event.ts';
import { askedQuestion, askUser } from './ask-user.ts';
import { mergePlan } from './update-plan.ts';

const status = fc.constantFrom('todo', 'doing', 'done', 'failed');
const statedPlan = fc.array(fc.record({ title: fc.constantFrom('a', 'b', 'c'), status }), { minLength: 1, maxLength: 5 });

describe('a plan', () => {
  it('keeps the times of unchanged steps', () => {
    const first = mergePlan(
      [],
      [
        { title: 'a', status: 'doing' },
        { title: 'b', status: 'todo' },
      ],
      10,
    );
    expect(first).toEqual([
      { title: 'a', status: 'doing', startedAt: 10, endedAt: null },
      { title: 'b', status: 'todo', startedAt: null, endedAt: null },
    ]);
    const second = mergePlan(
      first,
      [
        { title: 'new', status: 'doing' },
        { title: 'a', status: 'done' },
      ],
      20,
    );
    expect(second).toEqual([
      { title: 'new', status: 'doing', startedAt: 20, endedAt: null },
      { title: 'a', status: 'done', startedAt: 10, endedAt: 20 },
    ]);
    expect(mergePlan(second, [{ title: 'a', status: 'done' }], 30)).toEqual([second[1]]);
  });

  it('has times that agree with each status, whatever came before and however the clock jumps', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(statedPlan, fc.nat({ max: 1000 })), { maxLength: 6 }), (calls) => {
        let plan: PlanStep[] = [];
        for (const [stated, nowMs] of calls) {
          plan = mergePlan(plan, stated, nowMs);
          expect(plan.map(({ title, status: now }) => ({ title, status: now }))).toEqual(stated);
          for (const step of plan) {
            expect(step.startedAt === null).toBe(step.status === 'todo');
            expect(step.endedAt === null).toBe(step.status === 'todo' || step.status === 'doing');
            if (step.endedAt !== null) expect(step.endedAt).toBeGreaterThanOrEqual(step.startedAt ?? Number.POSITIVE_INFINITY);
          }
          expect(mergePlan(plan, stated, nowMs + 1)).toEqual(plan);
        }
      }),
    );
  });

  it('keeps two steps of one title apart', () => {
    const first = mergePlan(
      [],
      [
        { title: 'a', status: 'done' },
        { title: 'a', status: 'todo' },
      ],
      10,
    );
    const second = mergePlan(
      first,
      [
        { title: 'a', status: 'done' },
        { title: 'a', status: 'doing' },
      ],
      20,
    );
    expect(second.map(({ startedAt }) => startedAt)).toEqual([10, 20]);
  });
});

describe('ask_user', () => {
  it('is offered to interactive tasks only, and fails when something runs it', async () => {
    expect(askUser.needs).toBe('user');
    await expect(askUser.run({ question: 'x' }, toolContext({} as never))).rejects.toMatchObject({ code: 'internal' });
  });

  it('puts the question and its suggestions into words, and nothing that is not a question', () => {
    expect(askedQuestion({ question: ' Which colour? ' })).toEqual({ question: 'Which colour?', suggestions: [] });
    const suggestions = ['red', 'blue'];
    expect(askedQuestion({ question: 'Which?', suggestions })).toEqual({ question: 'Which?\n\n- red\n- blue', suggestions });
    for (const input of [null, 'x', {}, { question: ' ' }, { question: 7 }, { question: 'x', suggestions: 'y' }]) {
      expect(askedQuestion(input)).toBeNull();
    }
  });
});
