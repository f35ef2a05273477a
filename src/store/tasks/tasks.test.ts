import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  claim,
  createClaimed,
  createTasks,
  modelFinished,
  newAccountId,
  nextMs,
  sampleTask,
  stopped,
} from '../../../test/support/db/store-samples.ts';
import type { UserMessage } from '../../rules/events/task-event.ts';
import { readLog } from '../events/events.ts';
import { readLease } from './task-leases.ts';
import { updateTask } from './task-update.ts';
import { createTask, deleteTask, getTask, messageTask, stopTask } from './tasks.ts';

const hour = 3_600_000;
const hello: UserMessage = { type: 'user_message', text: 'Hello?', kind: 'text' };

describeStores('a task', (store) => {
  const readTypes = async (accountId: string, taskId: string) => {
    const log = await store.database.run(readLog, { accountId, taskId, afterSeq: 0, limit: 1000 });
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    for (const [index, { atMs }] of log.entries()) expect(atMs).toBeGreaterThan(log[index - 1]?.atMs ?? 0);
    return log.map(({ event }) => event.type);
  };
  const say = (
    accountId: string,
    taskId: string,
    changes: { now?: number; profile?: string; database?: typeof store.database } = {},
  ) => {
    const { now = nextMs(), profile = null, database = store.database } = changes;
    return database.run(messageTask, { accountId, taskId, now, message: hello, profile });
  };

  it('accepts commands while a newer version adds a column', async () => {
    const { accountId, taskId } = await createClaimed(store.database);
    await say(accountId, taskId);
    await store.query('ALTER TABLE tasks ADD COLUMN newer INTEGER DEFAULT 0');
    try {
      await say(accountId, taskId);
      expect((await store.database.run(stopTask, { accountId, taskId, now: nextMs() })).isStopped).toBe(true);
    } finally {
      await store.query('ALTER TABLE tasks DROP COLUMN newer');
    }
  });

  it('is stored as created, with its first message in the log', async () => {
    const sample = sampleTask(newAccountId(), {
      title: 'Ärger "\\ 🙂',
      shareVisibility: 'public',
      shareId: 's1',
      apiKeyId: 'k1',
      isHidden: true,
    });
    const created = await store.database.run(createTask, sample);
    const { accountId, taskId } = sample;
    expect(created).toMatchObject(await store.database.run(getTask, { accountId, taskId }));
    expect(created).toMatchObject({
      id: taskId,
      status: 'running',
      title: 'Ärger "\\ 🙂',
      shareId: 's1',
      isHidden: true,
      isInteractive: true,
      lastSeq: 2,
    });
    expect(await readTypes(accountId, taskId)).toEqual(['user_message', 'running']);
  });

  it('is due at once, even if the clock of the creating process is an hour ahead', async () => {
    const sample = sampleTask(newAccountId(), { now: Date.now() + hour });
    await store.database.run(createTask, sample);
    expect((await claim(store.database)).map(({ taskId }) => taskId)).toEqual([sample.taskId]);
  });

  it('of another account is indistinguishable from a missing one', async () => {
    const [taskId = ''] = await createTasks(store.database, newAccountId(), 1);
    const stranger = {
      accountId: newAccountId(),
      now: nextMs(),
      message: hello,
      profile: null,
      title: 'x',
      isHidden: null,
      share: null,
    };
    for (const operation of [getTask, messageTask, stopTask, updateTask, deleteTask]) {
      const run = (id: string) =>
        store.database.run(operation as typeof messageTask, { ...stranger, taskId: id }).catch((error: unknown) => error);
      const [foreign, missing] = await Promise.all([run(taskId), run('missing')]);
      expect(foreign).toMatchObject({ code: 'not_found', message: 'task not found', status: 404 });
      expect(foreign).toEqual(missing);
    }
    expect(await store.query('SELECT status, title, last_seq FROM tasks')).toEqual([
      { status: 'running', title: 'A title', last_seq: 2 },
    ]);
  });

  it('resumes with a message from each idle status, and is due at once', async () => {
    const { accountId, taskId, ...lease } = await createClaimed(store.database);
    await append({ accountId, taskId, ...lease }, [modelFinished(), stopped], store.database);
    await say(accountId, taskId, { now: Date.now() + hour });
    expect((await claim(store.database)).map((task) => task.taskId)).toEqual([taskId]);
    await store.database.run(stopTask, { accountId, taskId, now: nextMs() });
    await say(accountId, taskId);
    expect(await store.database.run(getTask, { accountId, taskId })).toMatchObject({ status: 'running' });
    expect(await readTypes(accountId, taskId)).toEqual([
      ...['user_message', 'running', 'model_finished', 'stopped'],
      ...['user_message', 'running', 'user_stopped', 'stopped', 'user_message', 'running'],
    ]);
  });

  it('is not taken from its worker by a message, which may change the profile for later steps', async () => {
    const task = await createClaimed(store.database);
    const before = await store.query('SELECT wake_at, fence, lease_owner FROM tasks');
    await say(task.accountId, task.taskId, { profile: 'service-1.6-max' });
    expect(await store.query('SELECT wake_at, fence, lease_owner FROM tasks')).toEqual(before);
    expect(await store.database.run(getTask, task)).toMatchObject({ profile: 'service-1.6-max', status: 'running' });
    await say(task.accountId, task.taskId);
    expect(await store.database.run(getTask, task)).toMatchObject({ profile: 'service-1.6-max', lastSeq: 4 });
  });

  it('has gapless numbers and increasing times for concurrent writers with any clocks', async () => {
    const [taskId = ''] = await createTasks(store.database, 'a1', 1);
    const databases = [store.database, ...store.others];
    const times = [Date.now(), Date.now() - hour, 1];
    const said = Array.from({ length: 45 }, (_, index) =>
      say('a1', taskId, { database: databases[index % 3] ?? store.database, now: times[index % 3] ?? 0 }),
    );
    await Promise.all(said);
    expect(await readTypes('a1', taskId)).toHaveLength(47);
  });

  it('is stopped once, also for concurrent stops', async () => {
    const task = await createClaimed(store.database);
    const databases = [store.database, ...store.others, store.database];
    const stops = await Promise.all(databases.map((database) => database.run(stopTask, { ...task, now: nextMs() })));
    expect(stops.filter(({ isStopped }) => isStopped)).toHaveLength(1);
    expect(await readTypes(task.accountId, task.taskId)).toEqual(['user_message', 'running', 'user_stopped', 'stopped']);
  });

  it('ends once and consistently when a stop meets the end of the turn', async () => {
    for (let round = 0; round < 20; round += 1) {
      const task = await createClaimed(store.database);
      const [end, stop] = await Promise.all([
        append(task, [modelFinished(), stopped], store.others[0] ?? store.database),
        store.database.run(stopTask, { ...task, now: nextMs() }),
      ]);
      expect(end.outcome === 'logged').toBe(!stop.isStopped);
      const types = await readTypes(task.accountId, task.taskId);
      expect(types.slice(2)).toEqual(stop.isStopped ? ['user_stopped', 'stopped'] : ['model_finished', 'stopped']);
      expect(await store.database.run(getTask, task)).toMatchObject({ status: 'stopped', lastSeq: 4 });
    }
  });

  it('handles a stop in every state', async () => {
    const task = await createClaimed(store.database);
    const question = { type: 'waiting', callId: 'c', question: 'Which?' } as const;
    await append(task, [question], store.database);
    expect(await store.database.run(stopTask, { ...task, now: nextMs() })).toMatchObject({ isStopped: true });
    expect(await store.database.run(stopTask, { ...task, now: nextMs() })).toMatchObject({ isStopped: false });
    expect(await store.database.run(readLease, task)).toEqual({ fence: task.fence + 1, lastSeq: 5 });
  });

  it('changes only the fields of an update', async () => {
    const sample = sampleTask('a1');
    await store.database.run(createTask, sample);
    const before = await store.database.run(getTask, sample);
    const untouched = { accountId: 'a1', taskId: sample.taskId, title: null, isHidden: null, share: null };
    const now = nextMs();
    expect(await store.database.run(updateTask, { ...untouched, now })).toEqual({ ...before, updatedAtMs: now });
    expect(await store.database.run(updateTask, { ...untouched, now, title: 'New' })).toEqual({
      ...before,
      updatedAtMs: now,
      title: 'New',
    });
    expect(await store.database.run(updateTask, { ...untouched, now, isHidden: true })).toMatchObject({
      title: 'New',
      isHidden: true,
    });
    expect(await store.database.run(updateTask, { ...untouched, now, isHidden: false })).toMatchObject({
      title: 'New',
      isHidden: false,
    });
  });

  it('has a new URL each time sharing is turned on, and the same one while it is on', async () => {
    const sample = sampleTask('a1');
    await store.database.run(createTask, sample);
    const share = async (visibility: 'private' | 'team' | 'public', freshShareId: string) => {
      const change = { accountId: 'a1', taskId: sample.taskId, now: nextMs(), title: null, isHidden: null };
      return (await store.database.run(updateTask, { ...change, share: { visibility, freshShareId } })).shareId;
    };
    expect(await share('private', 's0')).toBeNull();
    expect(await share('team', 's1')).toBe('s1');
    expect(await share('public', 's2')).toBe('s1');
    expect(await share('private', 's3')).toBeNull();
    expect(await share('public', 's4')).toBe('s4');
  });

  it('is deleted with its log, also for the worker that holds it', async () => {
    const task = await createClaimed(store.database);
    const [kept = ''] = await createTasks(store.database, task.accountId, 1);
    expect(await store.database.run(deleteTask, task)).toEqual({ taskId: task.taskId });
    expect(await append(task, [modelFinished()], store.database)).toEqual({ outcome: 'lost' });
    expect(await store.database.run(readLease, task)).toBeNull();
    await expect(store.database.run(deleteTask, task)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.query('SELECT DISTINCT task_id FROM events')).toEqual([{ task_id: kept }]);
  });

  it('that cannot be written does not affect others of its batch', async () => {
    const [taken = ''] = await createTasks(store.database, 'a1', 1);
    const samples = Array.from({ length: 40 }, (_, index) => sampleTask('a1', index % 13 === 7 ? { taskId: taken } : {}));
    const messages = samples.map(() => say('a1', taken));
    const results = await Promise.allSettled(samples.map((sample) => store.database.run(createTask, sample)));
    await Promise.all(messages);
    for (const [index, result] of results.entries()) {
      expect(result.status).toBe(index % 13 === 7 ? 'rejected' : 'fulfilled');
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'internal' });
    }
    expect(await store.query('SELECT COUNT(*) AS count FROM tasks')).toEqual([{ count: 38 }]);
    expect(await readTypes('a1', taken)).toHaveLength(42);
  });
});
