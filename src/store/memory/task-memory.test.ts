import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { claim, newAccountId, nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import { createAccount } from '../accounts/accounts.ts';
import { assignItem } from '../inbox/inbox-decisions.ts';
import { createTask, stopTask } from '../tasks/tasks.ts';
import { writeMemory } from './memory-writes.ts';
import { saveTaskMemory } from './task-memory.ts';

describeStores('what a task saves in its memory', (store) => {
  it('is judged file by file, also after a stop, and refused as a whole once the task has another worker', async () => {
    const accountId = newAccountId();
    const account = { accountId, email: `${accountId}@example.com`, plan: 'pro', locale: 'en', createdAtMs: nextMs() } as const;
    await store.database.run(createAccount, account);
    const { taskId } = await store.database.run(createTask, sampleTask(accountId)).then(({ id }) => ({ taskId: id }));
    const [lease] = await claim(store.database);
    const place = { scope: 'account', scopeId: '' } as const;
    const theirs = { content: 'theirs', ifVersion: null, untrusted: null, author: 'x', now: nextMs() };
    await store.database.run(writeMemory, { accountId, ...place, path: 'a', ...theirs });
    const changes = ['a', 'b', 'a/b'].map((path) => ({ ...place, path, content: 'mine', ifVersion: 0 }));
    const save = (fence: number) =>
      store.database.run(saveTaskMemory, { accountId, taskId, fence, changes, untrusted: true, private: false, now: nextMs() });
    expect(await save((lease?.fence ?? 0) - 1)).toBeNull();
    expect(await save(lease?.fence ?? 0)).toMatchObject([
      { result: 'conflict', version: 1, content: 'theirs' },
      { result: 'saved', file: { path: 'b', version: 1, untrusted: true, taskId } },
      { result: 'refused', reason: 'path: "a" is a file, not a folder' },
    ]);
    changes.splice(0, 3, { ...place, path: 'c', content: 'mine', ifVersion: 0 });
    await store.database.run(stopTask, { accountId, taskId, now: nextMs() });
    expect(await save(lease?.fence ?? 0)).toMatchObject([{ result: 'saved', file: { path: 'c', version: 1 } }]);
    await store.query('UPDATE tasks SET fence = fence + 1 WHERE id = ?', taskId);
    expect(await save(lease?.fence ?? 0)).toBeNull();
    const waitsForNobody = { accountId, taskId, seq: 1, assignee: accountId, now: nextMs() };
    await expect(store.database.run(assignItem, waitsForNobody)).rejects.toMatchObject({ code: 'not_found' });
  });
});
