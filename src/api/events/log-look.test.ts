import { expect, it } from 'vitest';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { getTask } from '../../store/tasks/tasks.ts';
import { type LookParts, SharedLook } from './log-look.ts';

it('one account reads what is long past one page at a time; another account, and what is new, does not wait for it', async () => {
  const asked: string[] = [];
  const run = (operation: unknown, { accountId }: { accountId: string }) => {
    if (operation === getTask) return Promise.resolve({ lastSeq: 100 });
    asked.push(accountId);
    return new Promise(() => undefined);
  };
  const parts = { database: { run }, urls: {}, backfills: new FairGate({ capacity: 2 }) } as unknown as LookParts;
  const read = (accountId: string, afterSeq: number) => {
    const look = new SharedLook(parts, { key: { accountId, taskId: 't' }, isVerbose: true }, () => undefined);
    void look.readPage(afterSeq);
  };
  read('a', 0);
  read('a', 0);
  read('b', 0);
  await new Promise(setImmediate);
  expect(asked.toSorted()).toEqual(['a', 'b']);
  read('a', 98);
  await new Promise(setImmediate);
  expect(asked.toSorted()).toEqual(['a', 'a', 'b']);
});
