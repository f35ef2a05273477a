import { expect, it } from 'vitest';
import { remindOfPlan } from './plan-reminder.ts';

const step = (title: string, status: 'todo' | 'done') => ({ title, status, startedAt: null, endedAt: null });

it('repeats a plan until it is finished', () => {
  expect(remindOfPlan([step('Read', 'done'), step('Write', 'todo')])).toContain('- done: Read\n- todo: Write');
  expect(remindOfPlan([step('Read', 'done')])).toBeNull();
  expect(remindOfPlan([])).toBeNull();
});
