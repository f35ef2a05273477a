import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPlace, packPlaces, writeIndexQuery } from '../../rules/search/searched-task.ts';
import { readQuery } from '../../rules/search/words.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { append, claim, newAccountId, sampleTask, stopped } from '../../../test/support/db/store-samples.ts';
import { type CreateTaskArgs, createTask, deleteTask } from '../tasks/tasks.ts';
import { updateTask } from '../tasks/task-update.ts';
import { findTasks, type FindTasksArgs } from './find-tasks.ts';
import { claimTasksToIndex, hasTasksToIndex, readIndexedTask, readSaid } from './search-queue.ts';
import { saveSearched } from './searched-tasks.ts';

describeStores('the index of words', (store) => {
  const take = (limit = 100) => store.database.run(claimTasksToIndex, { leaseMs: 60_000, limit });
  const hasDue = () => store.database.run(hasTasksToIndex, null);

  async function add(accountId: string, changes: Partial<CreateTaskArgs> = {}) {
    const task = await store.database.run(createTask, sampleTask(accountId, changes));
    const [lease] = await claim(store.database);
    if (!lease) throw new Error('nothing was claimed');
    await append(lease, [stopped], store.database);
    return task.id;
  }

  /** Stores these texts as messages of the task, as if they were all that it has. */
  async function index(accountId: string, taskId: string, texts: readonly string[], formerSeq: number | null = null) {
    const places = texts.map((text, at) => createPlace({ kind: 'message', seq: at + 1, artifactId: null, version: 0 }, text));
    const found = packPlaces(accountId, places);
    const task = { accountId, taskId, searchDueAtMs: null };
    await store.query('UPDATE tasks SET search_due_at = 1 WHERE id = ?', taskId);
    await store.database.run(saveSearched, { task, formerSeq, seq: texts.length, found, files: [] });
  }

  async function find(accountId: string, text: string, changes: Partial<FindTasksArgs> = {}) {
    const query = readQuery(text) ?? { words: [], beginning: 'x' };
    const all = { afterId: null, statuses: null, projectId: null, limit: 10 };
    const found = await store.database.run(findTasks, { accountId, query, ...all, ...changes });
    return found.map(({ task }) => task.id);
  }

  it('finds tasks that have all words, newest first, whatever the order in which they were indexed', async () => {
    const accountId = newAccountId();
    const [first, second, third] = [await add(accountId), await add(accountId), await add(accountId)];
    await index(accountId, third, ['a red house']);
    await index(accountId, first, ['red', 'the house']);
    await index(accountId, second, ['red']);
    expect(await find(accountId, 'house RED')).toEqual([third, first]);
    expect(await find(accountId, 'red', { limit: 2 })).toEqual([third, second]);
    expect(await find(accountId, 'red', { limit: 2, afterId: second })).toEqual([first]);
    expect(await find(accountId, 're hou')).toEqual([]);
    expect(await find(accountId, 'red hou')).toEqual([third, first]);
    expect(await find(newAccountId(), 'red')).toEqual([]);
  });

  it('shows the newest place with the most words', async () => {
    const accountId = newAccountId();
    const message = { type: 'user_message', text: 'Paint a red house', kind: 'text' } as const;
    const taskId = await add(accountId, { title: 'Walls', message });
    await index(accountId, taskId, ['Paint a red house', 'red']);
    const query = readQuery('red house') ?? { words: [], beginning: null };
    const [found] = await store.database.run(findTasks, {
      accountId,
      query,
      afterId: null,
      statuses: null,
      projectId: null,
      limit: 1,
    });
    expect(found?.match).toMatchObject({ kind: 'message', event: { seq: 1 }, artifactId: null });
    expect(found?.match.snippet.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['red', 'house']);
  });

  it('leaves out hidden tasks, and keeps to the filters of the list', async () => {
    const accountId = newAccountId();
    const [shown, hidden] = [await add(accountId), await add(accountId, { isHidden: true })];
    for (const taskId of [shown, hidden]) await index(accountId, taskId, ['red']);
    expect(await find(accountId, 'red', { isListedOnly: true })).toEqual([shown]);
    expect(await find(accountId, 'red', { statuses: ['waiting'] })).toEqual([]);
  });

  /** Puts tasks that are gone before all others of the account, with this word, or under the numbers from this one on. */
  async function putGone(accountId: string, count: number, word: string, from = Number.MAX_SAFE_INTEGER - 100_000) {
    const words = writeIndexQuery(accountId, { words: [word], beginning: null });
    await store.query(
      `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
       INSERT INTO searched_tasks (account_id, task_id, number, seq, words, places)
       SELECT '${accountId}', 'gone-' || n, ${from} + n, 1, '${words}', '[]' FROM counted`,
    );
  }

  it.each([
    ['few', 1200],
    ['many', 10_100],
  ])('reads on behind %s tasks that the filters leave out', async (_name, count) => {
    const accountId = newAccountId();
    const [first, second, third] = [await add(accountId), await add(accountId), await add(accountId)];
    for (const taskId of [first, second, third]) await index(accountId, taskId, ['red']);
    await putGone(accountId, count, 'red');
    expect(await find(accountId, 'red', { limit: 2 })).toEqual([third, second]);
    expect(await find(accountId, 'red', { limit: 2, afterId: second })).toEqual([first]);
    expect(await find(accountId, 'red', { afterId: 'gone' })).toEqual([]);
    await store.query('DELETE FROM searched_tasks WHERE account_id = ?', accountId);
  });

  it('finds the same words among the newest tasks as in the index', async () => {
    const accountId = newAccountId();
    const [first, second, third] = [await add(accountId), await add(accountId), await add(accountId)];
    await index(accountId, first, ['a red house']);
    await index(accountId, second, ['redder houses']);
    await index(accountId, third, ['red boathouse']);
    // PostgreSQL comes to read the newest tasks when its index has more hits than these.
    await putGone(accountId, 10_100, 'red', 1);
    expect(await find(accountId, 'red', { limit: 3 })).toEqual([third, second, first]);
    expect(await find(accountId, 'house', { limit: 2 })).toEqual([second, first]);
    expect(await find(accountId, 'red house', { limit: 1 })).toEqual([first]);
    await store.query('DELETE FROM searched_tasks WHERE account_id = ?', accountId);
  });

  it('always has exactly the words that were stored last', async () => {
    const accountId = newAccountId();
    const colors = ['red', 'green', 'blue', 'grey'];
    const word = fc.constantFrom(...colors);
    const texts = fc.array(fc.uniqueArray(word, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(texts, async (versions) => {
        const taskId = await add(accountId);
        let formerSeq: number | null = null;
        for (const words of versions) {
          await index(accountId, taskId, [words.join(' ')], formerSeq);
          formerSeq = 1;
          for (const one of colors) {
            expect(await find(accountId, one)).toEqual(words.includes(one) ? [taskId] : []);
          }
        }
        await store.database.run(deleteTask, { accountId, taskId });
        for (const one of colors) expect(await find(accountId, one)).toEqual([]);
      }),
      { numRuns: 12 },
    );
    if (store.engine === 'sqlite') await store.query("INSERT INTO searched_words (searched_words) VALUES ('integrity-check')");
  });

  it('gives a due task to one indexer at a time, and forgets it when it is stored', async () => {
    const accountId = newAccountId();
    const taskId = await add(accountId);
    const [taken] = await take();
    expect(taken).toMatchObject({ accountId, taskId });
    expect([await take(), await hasDue()]).toEqual([[], false]);
    if (!taken) return;
    await store.database.run(saveSearched, { task: taken, formerSeq: null, seq: 1, found: packPlaces(accountId, []), files: [] });
    await store.query('UPDATE tasks SET search_due_at = search_due_at - 60000');
    expect(await hasDue()).toBe(false);
  });

  it('has a task again that was claimed or renamed while it was indexed', async () => {
    const accountId = newAccountId();
    const taskId = await add(accountId);
    for (const change of [{ title: 'New' }, { title: 'Newer' }]) {
      const [taken] = await take();
      if (!taken) throw new Error('nothing is due');
      const known = await store.database.run(readIndexedTask, { accountId, taskId, files: 1 });
      const rename = { accountId, taskId, now: Date.now(), isHidden: null, share: null, ...change };
      await store.database.run(updateTask, rename);
      const formerSeq = known?.seq ?? null;
      await store.database.run(saveSearched, { task: taken, formerSeq, seq: 1, found: packPlaces(accountId, []), files: [] });
      expect(await hasDue()).toBe(true);
    }
  });

  it('is made of what was said since it was last made', async () => {
    const accountId = newAccountId();
    const taskId = await add(accountId);
    const read = (afterSeq: number) => store.database.run(readSaid, { accountId, taskId, afterSeq, limit: 9 });
    const [message] = await read(0);
    expect(message?.event.type).toBe('user_message');
    expect(await read(message?.seq ?? 0)).toEqual([]);
  });

  it('leaves a running task alone for a minute', async () => {
    const accountId = newAccountId();
    await store.database.run(createTask, sampleTask(accountId));
    await claim(store.database);
    expect(await hasDue()).toBe(false);
    await store.query('UPDATE tasks SET search_due_at = search_due_at - 61000');
    expect(await take()).toHaveLength(1);
  });

  it('stores nothing of a task that was deleted meanwhile', async () => {
    const accountId = newAccountId();
    const taskId = await add(accountId);
    const [taken] = await take();
    await store.database.run(deleteTask, { accountId, taskId });
    if (!taken) throw new Error('nothing is due');
    await store.database.run(saveSearched, { task: taken, formerSeq: null, seq: 1, found: packPlaces(accountId, []), files: [] });
    expect(await store.query('SELECT task_id FROM searched_tasks')).toEqual([]);
  });
});
