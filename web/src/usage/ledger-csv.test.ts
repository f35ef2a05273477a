import type { UsageRecord } from '@errand/client';
import { expect, it } from 'vitest';
import { writeCsv } from './ledger-csv.ts';

it('writes records that spreadsheet programs read unchanged and never run as formulas', () => {
  const record = (title: string, credits: number) =>
    ({ title, credits, type: 'cost', created_at: 86_400, task_id: 't' }) as UsageRecord;
  const lines = writeCsv([record('a "b", c', -3), record('=HYPERLINK("x")', 2)]).split('\r\n');
  expect(lines).toEqual([
    'time,type,credits,title,task_id',
    '1970-01-02T00:00:00.000Z,cost,-3,"a ""b"", c",t',
    '1970-01-02T00:00:00.000Z,cost,2,"\'=HYPERLINK(""x"")",t',
    '',
  ]);
});
