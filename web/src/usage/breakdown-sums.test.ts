import { expect, it } from 'vitest';
import { sumsOf, writeSums } from './breakdown-sums.ts';

it('asks for whole days that end today, of what is chosen', () => {
  const range = { days: 7, todayMs: 10 * 86_400_000 };
  expect(sumsOf(range, 'day', { by: 'project', id: 'p', name: 'Garden' })).toEqual({
    by: 'day',
    start_date: 4 * 86_400,
    end_date: 10 * 86_400,
    project_id: 'p',
  });
});

it('writes sums that spreadsheet programs read unchanged and never run as formulas', () => {
  const counts = { calls: 2, input_tokens: 10, cached_tokens: 4, output_tokens: 3, credits: 1.5 };
  const sum = { ...counts, project_id: 'p', project_name: '=1+1', money: { amount: 0.015, currency: 'USD' } };
  expect(writeSums([sum], 'project').split('\r\n')).toEqual([
    'project_id,project,calls,input_tokens,cached_tokens,output_tokens,credits,amount,currency',
    "p,'=1+1,2,10,4,3,1.5,0.015,USD",
    '',
  ]);
  const day = { ...counts, date: 86_400, money: sum.money };
  expect(writeSums([day], 'day')).toContain('1970-01-02,2,10,4,3');
});
