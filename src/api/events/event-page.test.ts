import { expect, it } from 'vitest';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Context } from '../contract/operation.ts';
import { readEventPage } from './event-page.ts';

it('long pages for one account are read one by one, and leave slots for those of another', async () => {
  const asked: string[] = [];
  const read = (_operation: unknown, { accountId }: { accountId: string }) => {
    asked.push(accountId);
    return new Promise(() => undefined);
  };
  const { signal } = new AbortController();
  const context = { read, signal, urls: {}, eventPages: new FairGate({ capacity: 400 }) } as unknown as Context;
  const open = (accountId: string) => {
    const place = { accountId, taskId: 't', order: 'desc', isVerbose: true, fromSeq: null } as const;
    void readEventPage({ query: [], cursor: undefined, limit: 200, place, slidesFormat: 'html', showsAccount: true }, context);
  };
  open('a');
  open('a');
  open('b');
  await new Promise(setImmediate);
  expect(asked).toEqual(['a', 'b']);
});
