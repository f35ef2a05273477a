import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  claim,
  createClaimed,
  createTasks,
  modelFinished,
  modelStarted,
  newAccountId,
  nextMs,
  stopped,
  usage,
} from '../../../test/support/db/store-samples.ts';
import { newId } from '@errand/base/ids.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { expectBlob } from '../blobs/blob-references.ts';
import { readLog, readLogged } from '../events/events.ts';
import { expireAllLeases, failLease, leaveLeases, releaseLeases } from './lease-ends.ts';
import { expireLeasesOf } from './workers/ended-workers.ts';
import { readLease, renewLeases } from './task-leases.ts';
import { deleteTask, messageTask, stopTask } from './tasks.ts';

describeStores('a lease', (store) => {
  const readRow = async (taskId: string) => {
    const columns = 'status, last_seq, input_tokens, output_tokens, fence, crashes, lease_owner, wake_at';
    return (await store.query(`SELECT ${columns} FROM tasks WHERE id = ?`, taskId))[0];
  };

  it('lets its holder log events, numbered and stored unchanged', async () => {
    const task = await createClaimed(store.database);
    const hostile = modelFinished('\u0000 \ud800 🙂 \r\n \u2028 "\\');
    const batches: TaskEvent[][] = [[modelStarted], [hostile, { type: 'explained', text: 'x' }]];
    const results = [];
    for (const events of batches) results.push(await append(task, events, store.database));
    const log = await store.database.run(readLog, { ...task, afterSeq: 2, limit: 10 });
    expect(log.map(({ seq }) => seq)).toEqual([3, 4, 5]);
    expect(results.flatMap((result, at) => (result.outcome === 'logged' ? readLogged(batches[at] ?? [], result) : []))).toEqual(
      log,
    );
    expect(log[1]?.event).toEqual(hostile);
    expect(await store.database.run(readLease, task)).toEqual({ fence: task.fence, lastSeq: 5 });
  });

  it('keeps a file that was fetched for its task, and refuses one that is gone', async () => {
    const task = await createClaimed(store.database);
    const fetched = (blobId: string): TaskEvent => ({
      type: 'file_fetched',
      id: 'f',
      filename: 'a.txt',
      attachment: { kind: 'file', filename: 'a.txt', contentType: 'text/plain', blobId, bytes: 1 },
      problem: null,
    });
    const blobId = newId(nextMs());
    await store.database.run(expectBlob, { accountId: task.accountId, blobId, graceMs: 60_000 });
    await append(task, [fetched(blobId)], store.database);
    const kept = await store.query('SELECT owner FROM blob_refs WHERE account_id = ? AND blob_id = ?', task.accountId, blobId);
    expect(kept).toEqual([{ owner: `task:${task.taskId}` }]);
    await expect(append(task, [fetched(newId(nextMs()))], store.database)).rejects.toThrow();
  });

  it('adds up the usage of model calls', async () => {
    const task = await createClaimed(store.database);
    await append(task, [modelFinished()], store.database);
    await append(task, [{ type: 'extract_finished', success: true, value: 1, error: null, usage }], store.database);
    expect(await readRow(task.taskId)).toMatchObject({ input_tokens: 200, output_tokens: 20 });
  });

  it.each([
    [
      'was taken by another worker',
      async (lease: { accountId: string; taskId: string }) => {
        await store.query('UPDATE tasks SET wake_at = 0 WHERE id = ?', lease.taskId);
        expect(await claim(store.database, { workerId: 'w2' })).toHaveLength(1);
      },
    ],
    ['was stopped', (lease: { accountId: string; taskId: string }) => store.database.run(stopTask, { ...lease, now: nextMs() })],
  ])('that %s writes nothing more: no event, no usage, no status', async (_, take) => {
    const task = await createClaimed(store.database);
    await take(task);
    const row = await readRow(task.taskId);
    const count = await store.query('SELECT COUNT(*) AS count FROM events');
    expect(await append(task, [modelFinished(), stopped], store.others[0] ?? store.database)).toEqual({ outcome: 'lost' });
    expect(await append(task, [modelFinished(), stopped], store.database, 2)).toEqual({ outcome: 'lost' });
    expect(await readRow(task.taskId)).toEqual(row);
    expect(await store.query('SELECT COUNT(*) AS count FROM events')).toEqual(count);
  });

  it('allows writes next to a message, but conditional ones only if nothing has arrived', async () => {
    const task = await createClaimed(store.database);
    const message = { type: 'user_message', text: 'Wait!', kind: 'text' } as const;
    await store.database.run(messageTask, { ...task, now: nextMs(), message, profile: null });
    expect(await append(task, [modelFinished(), stopped], store.database, 2)).toEqual({ outcome: 'behind' });
    expect(await append(task, [modelFinished()], store.database)).toMatchObject({ outcome: 'logged', firstSeq: 4 });
    expect(await append(task, [stopped], store.database, 4)).toMatchObject({ outcome: 'logged', firstSeq: 5 });
  });

  it('ends with the turn', async () => {
    for (const events of [[stopped], [{ type: 'waiting', callId: 'c', question: '?' } as const]]) {
      const task = await createClaimed(store.database);
      await append(task, events, store.database);
      expect(await readRow(task.taskId)).toMatchObject({ lease_owner: null, wake_at: null });
      expect(await claim(store.database, { workerId: 'w2' })).toEqual([]);
    }
  });

  it('is renewed for its own holder only', async () => {
    const [mine, taken, finished, foreign] = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const [taskId = ''] = await createTasks(store.database, newAccountId(), 1);
        return taskId;
      }),
    );
    const leases = await claim(store.database);
    const leaseOf = (taskId: string | undefined) =>
      leases.find((lease) => lease.taskId === taskId) ?? { accountId: '', taskId: '', fence: 0 };
    await store.query('UPDATE tasks SET fence = fence + 1 WHERE id = ?', taken ?? '');
    await append(leaseOf(finished), [stopped], store.database);
    await store.query("UPDATE tasks SET lease_owner = 'w2' WHERE id = ?", foreign ?? '');
    const farMs = Date.now() + 1_000_000;
    await store.query('UPDATE tasks SET wake_at = ? WHERE wake_at IS NOT NULL', farMs);
    expect(await store.database.run(renewLeases, { workerId: 'w1', ttlMs: 60_000, leases })).toEqual([mine]);
    expect(await store.query('SELECT id FROM tasks WHERE wake_at < ?', farMs)).toEqual([{ id: mine }]);
    expect(await store.database.run(renewLeases, { workerId: 'w1', ttlMs: 60_000, leases: [] })).toEqual([]);
  });

  it('is renewed for as long as requested, by the clock of the database', async () => {
    const task = await createClaimed(store.database, { ttlMs: 200_000 });
    const end = Number((await readRow(task.taskId))?.wake_at);
    const before = Date.now();
    await store.database.run(renewLeases, { workerId: 'w1', ttlMs: 1_000_000, leases: [task] });
    const renewed = Number((await readRow(task.taskId))?.wake_at);
    expect(renewed).toBeGreaterThan(end);
    expect(renewed).toBeGreaterThanOrEqual(before + 1_000_000 - 1000);
    expect(renewed).toBeLessThanOrEqual(Date.now() + 1_000_000 + 1000);
  });

  it('that has ended, or is about to, is not renewed: its slot may have been given to another task', async () => {
    const [ended, ending, cutOff] = [
      await createClaimed(store.database, { ttlMs: -1 }),
      await createClaimed(store.database, { ttlMs: 5000 }),
      await createClaimed(store.database, { workerId: 'session-w' }),
    ];
    await store.database.run(expireLeasesOf, ['session-w']);
    const renew = (workerId: string) =>
      store.database.run(renewLeases, { workerId, ttlMs: 60_000, leases: [ended, ending, cutOff] });
    expect([await renew('w1'), await renew('session-w')]).toEqual([[], []]);
    expect(await append(cutOff, [modelStarted], store.database)).toMatchObject({ outcome: 'logged' });
  });

  it('is renewed together with many others while their holders write', async () => {
    const accountIds = [newAccountId(), newAccountId()];
    // Ids interleave, so that ordering by account differs from ordering by task.
    for (let count = 0; count < 20; count += 1) await createTasks(store.database, accountIds[count % 2] ?? '', 1);
    const leases = await claim(store.database);
    expect(leases).toHaveLength(20);
    const [one = store.database, two = store.database] = store.others;
    for (let round = 0; round < 10; round += 1) {
      const shuffled = leases.toSorted((a, b) => (a.taskId > b.taskId ? 1 : -1) * (round % 2 ? 1 : -1));
      const writes = shuffled.map((lease) => append(lease, [modelStarted], one));
      const renewals = [two, store.database].map((database) =>
        database.run(renewLeases, { workerId: 'w1', ttlMs: 60_000, leases }),
      );
      for (const confirmed of await Promise.all(renewals)) expect(confirmed).toHaveLength(20);
      for (const { outcome } of await Promise.all(writes)) expect(outcome).toBe('logged');
    }
  });

  it('that is released is free at once and no crash; one that expired is a crash', async () => {
    const task = await createClaimed(store.database);
    await store.database.run(releaseLeases, { workerId: 'w1', leases: [task] });
    const [released] = await claim(store.database, { ttlMs: -1 });
    expect(released).toMatchObject({ taskId: task.taskId, fence: task.fence + 1, crashes: 0 });
    const [expired] = await claim(store.database);
    expect(expired).toMatchObject({ taskId: task.taskId, fence: task.fence + 2, crashes: 1 });
  });

  it('whose worker was told to stop is kept, renewed and released as before, and its expiry is no crash', async () => {
    const tasks = [await createClaimed(store.database), await createClaimed(store.database)];
    await store.database.run(leaveLeases, { workerId: 'w2', leases: tasks });
    expect(await readRow(tasks[0]?.taskId ?? '')).toMatchObject({ lease_owner: 'w1' });
    await store.database.run(leaveLeases, { workerId: 'w1', leases: tasks });
    expect(await claim(store.database)).toEqual([]);
    const confirmed = await store.database.run(renewLeases, { workerId: 'w1', ttlMs: -1, leases: tasks });
    expect(confirmed.toSorted()).toEqual(tasks.map(({ taskId }) => taskId).toSorted());
    expect(await claim(store.database, { ttlMs: -1 })).toMatchObject([{ crashes: 0 }, { crashes: 0 }]);
    expect(await claim(store.database)).toMatchObject([{ crashes: 1 }, { crashes: 1 }]);
  });

  it('of a task that failed by itself is released for later, and counts as two crashes', async () => {
    const task = await createClaimed(store.database);
    await store.database.run(failLease, { ...task, fence: task.fence - 1, pauseMs: -1 });
    expect(await claim(store.database)).toEqual([]);
    await store.database.run(failLease, { ...task, pauseMs: 60_000 });
    expect(await claim(store.database)).toEqual([]);
    expect(await readRow(task.taskId)).toMatchObject({ crashes: 2, lease_owner: null });
  });

  it('is released only by its holder', async () => {
    const task = await createClaimed(store.database);
    const row = await readRow(task.taskId);
    await store.database.run(releaseLeases, { workerId: 'w2', leases: [task] });
    await store.database.run(releaseLeases, { workerId: 'w1', leases: [{ ...task, fence: task.fence - 1 }] });
    await store.database.run(releaseLeases, { workerId: 'w1', leases: [] });
    expect(await readRow(task.taskId)).toEqual(row);
    await append(task, [stopped], store.database);
    await store.database.run(releaseLeases, { workerId: 'w1', leases: [task] });
    expect(await readRow(task.taskId)).toMatchObject({ wake_at: null, lease_owner: null });
  });

  it.each([
    ['progress', [modelFinished()], 0],
    ['a step that only began', [modelStarted], 2],
    ['the end of the turn', [{ type: 'error', errorType: 'e', text: 't' } as const, { type: 'failed' } as const], 0],
  ])('forgets earlier crashes with %s or keeps them', async (_, events, crashes) => {
    const task = await createClaimed(store.database, { ttlMs: -1 });
    await claim(store.database, { ttlMs: -1 });
    const [quarantined] = await claim(store.database);
    expect(quarantined?.crashes).toBe(2);
    if (quarantined) await append(quarantined, events, store.database);
    expect(await readRow(task.taskId)).toMatchObject({ crashes });
  });

  it('ends with the deletion of its task', async () => {
    const task = await createClaimed(store.database);
    await store.database.run(deleteTask, task);
    expect(await store.database.run(renewLeases, { workerId: 'w1', ttlMs: 1, leases: [task] })).toEqual([]);
    expect(await store.database.run(readLease, task)).toBeNull();
  });

  it('expires at once with all others when no other process can use the store', async () => {
    const task = await createClaimed(store.database);
    const [idle = ''] = await createTasks(store.database, newAccountId(), 1);
    const before = await readRow(idle);
    await store.database.run(expireAllLeases, { bootId: null });
    expect(await readRow(idle)).toEqual(before);
    const claimed = await claim(store.database, { workerId: 'w2' });
    expect(claimed.find(({ taskId }) => taskId === task.taskId)).toMatchObject({ crashes: 1 });
  });

  it('ends without a crash when the machine was started anew', async () => {
    await createClaimed(store.database);
    await store.database.run(expireAllLeases, { bootId: 'first' });
    expect(await claim(store.database)).toMatchObject([{ crashes: 1 }]);
    await store.database.run(expireAllLeases, { bootId: 'second' });
    expect(await claim(store.database)).toMatchObject([{ crashes: 1, lastEnd: 'drain' }]);
    await store.database.run(expireAllLeases, { bootId: 'second' });
    expect(await claim(store.database)).toMatchObject([{ crashes: 2 }]);
  });
});
