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
    const look = new SharedLook(parts, { key: { accountId, taskId: 't' }, isVerbose: true, showsAccount: true }, () => undefined);
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

it('a page of large events is short, and the next one begins after it', async () => {
  const asked: Record<string, unknown>[] = [];
  const run = (operation: unknown, place: Record<string, unknown>) => {
    if (operation === getTask) return Promise.resolve({ lastSeq: 100 });
    asked.push(place);
    const seq = Number(place['fromSeq']) + 1;
    return Promise.resolve({ events: [{ seq, atMs: 1, event: { type: 'prepared' } }], hasMore: seq < 3 });
  };
  const parts = { database: { run }, urls: {}, backfills: new FairGate({ capacity: 2 }) } as unknown as LookParts;
  const look = new SharedLook(
    parts,
    { key: { accountId: 'a', taskId: 't' }, isVerbose: true, showsAccount: true },
    () => undefined,
  );
  const pages = [];
  for (let seq = 0; seq < 100; seq = pages.at(-1)?.seq ?? 100) pages.push(await look.readPage(seq));
  expect(pages.map(({ seq, isLast }) => [seq, isLast])).toEqual([
    [1, false],
    [2, false],
    [100, true],
  ]);
  expect(asked.map(({ fromSeq, maxBytes }) => [fromSeq, maxBytes])).toEqual([0, 1, 2].map((seq) => [seq, 256 * 1024]));
});
