import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { append, createClaimed, nextMs, stopped } from '../../../test/support/db/store-samples.ts';
import { deleteTask } from '../tasks/tasks.ts';
import { listRatings, setRating } from './ratings.ts';

describeStores('ratings', (store) => {
  it('are of answers alone, one a person even if two are set at once, and never of a deleted task', async () => {
    const task = await createClaimed(store.database);
    const { accountId, taskId } = task;
    const logged = await append(task, [{ type: 'assistant_message', text: 'Done.' }, stopped], store.database);
    const seq = logged.outcome === 'logged' ? logged.firstSeq : 0;
    const rate = (at: number, externalUserId: string | null = null) => {
      const now = nextMs();
      const rater = { authorId: accountId, externalUserId };
      return store.database.run(setRating, {
        ...{ accountId, taskId, ...rater, seq: at, rating: 'up', reason: '', id: newId(now), now },
      });
    };
    const list = () =>
      store.database.run(listRatings, { key: { accountId }, taskId: null, rating: null, beforeId: null, limit: 10 });
    await Promise.all([rate(seq), rate(seq), rate(seq, 'customer')]);
    expect((await list()).map(({ text, externalUserId }) => `${text} ${externalUserId}`).toSorted()).toEqual([
      'Done. ',
      'Done. customer',
    ]);
    const seen = await store.database.run(listRatings, {
      ...{ key: { accountId, onlyClientId: 'c1' }, taskId: null, rating: null, beforeId: null, limit: 10 },
    });
    expect(seen).toEqual([]);
    await store.query("UPDATE tasks SET oauth_client_id = 'c1' WHERE id = ?", taskId);
    const ofApp = await store.database.run(listRatings, {
      ...{ key: { accountId, onlyClientId: 'c1' }, taskId, rating: null, beforeId: null, limit: 10 },
    });
    expect(ofApp.map(({ externalUserId, email }) => [externalUserId, email])).toEqual([['', null]]);
    await expect(rate(seq + 1)).rejects.toThrow('event_id');
    await store.database.run(deleteTask, task);
    expect(await list()).toEqual([]);
    await expect(rate(seq)).rejects.toThrow('task not found');
  });
});
