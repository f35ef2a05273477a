import { expect, it } from 'vitest';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Context } from '../api/contract/operation.ts';
import { readPageOfConversations } from './legacy-conversations.ts';

it('long lists of v1 for one account are read one by one, in bounded bytes, and leave slots for those of another', async () => {
  const asked: { accountId: string; maxBytes: number; maxBytesEach: number; taskIds: string[] }[] = [];
  const read = (_operation: unknown, args: (typeof asked)[number]) => {
    asked.push(args);
    return new Promise(() => undefined);
  };
  const { signal } = new AbortController();
  const eventPages = new FairGate({ capacity: 400 });
  const open = (accountId: string) => {
    const context = { read, signal, urls: {}, eventPages, principal: { accountId } } as unknown as Context;
    const taskIds = Array.from({ length: 1000 }, (_, index) => `t${index}`);
    void readPageOfConversations(taskIds, context);
  };
  open('a');
  open('a');
  open('b');
  await new Promise(setImmediate);
  expect(asked.map(({ accountId }) => accountId)).toEqual(['a', 'b']);
  for (const { taskIds, maxBytes, maxBytesEach } of asked) {
    expect(taskIds).toHaveLength(20);
    expect([maxBytes, maxBytesEach]).toEqual([262_144, 65_536]);
  }
});
