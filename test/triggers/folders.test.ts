import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@errand/base/log.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import { receiveFile } from '../../src/api/triggers/receive-file.ts';
import { FolderWorker, settleMs } from '../../src/work/triggers/folder-worker.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

describeStores('a trigger for a folder', (store) => {
  let api: ApiUnderTest;
  let base: string;
  let clock: TestClock;
  /** Happen before and after a file is taken. */
  let interrupt = () => Promise.resolve();
  let resume = () => Promise.resolve();
  const rootsOf = () => ({ drop: join(base, 'drop'), own: join(base, '{account}') });
  let busy: (() => void) | null = null;
  const createWorker = (database = store.database) =>
    new FolderWorker({
      ...{ database, clock, log: silentLog, roots: rootsOf(), drainMs: 60_000 },
      fire: async (trigger, file, signal) => {
        await interrupt();
        try {
          await receiveFile(trigger, file, { ...api.http.triggers.open(trigger, signal), ...(busy && { countStart: busy }) });
        } finally {
          await resume();
        }
      },
    });
  const plain = { name: 'New', type: 'folder', message_template: 'Read {{name}}: {{size_bytes}}' };
  const create = async (folder: Json): Promise<Json> => {
    const { body } = await api.call('trigger.create', { ...plain, folder });
    expect(body.error).toBeUndefined();
    return body.trigger as Json;
  };
  const eventsOf = async (id: unknown) => (await api.call('trigger.events', { trigger_id: String(id), limit: 100 })).body.data;
  const countTasks = async () => (await api.call('task.list', { limit: 100 })).body.data.length;
  const beDue = () => store.query('UPDATE triggers SET look_at = 0 WHERE look_at IS NOT NULL RETURNING id');
  /** One look of each of so many processes, a time after which nothing counts as just changed. */
  const look = async (count = 1) => {
    await clock.advance(settleMs + 60_000);
    await beDue();
    const workers = [store.database, ...store.others, store.database].slice(0, count).map((database) => createWorker(database));
    await Promise.all(workers.map((worker) => worker.start()));
    await Promise.all(workers.map((worker) => worker.stop()));
  };
  const outcomesOf = async (id: unknown) => (await eventsOf(id)).map(({ outcome }) => outcome);

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'watched-'));
    await mkdir(join(base, 'drop', 'in'), { recursive: true });
    clock = new TestClock(Date.now());
    api = await ApiUnderTest.start(store.database, { clock, reach: { watchRoots: rootsOf() } });
  });
  afterEach(async () => {
    await api.stop();
    await rm(base, { recursive: true });
  });

  it('starts a task with a file once, and again when the file has changed', async () => {
    const trigger = await create({ root: 'drop', path: 'in', pattern: '*.csv' });
    expect(trigger).toMatchObject({ type: 'folder', folder: { root: 'drop', path: 'in', pattern: '*.csv' } });
    expect(trigger).not.toHaveProperty('url');
    await writeFile(join(base, 'drop/in/a.csv'), 'x,y');
    await writeFile(join(base, 'drop/in/a.tmp'), 'x');
    await look();
    await look();
    const [event, ...others] = await eventsOf(trigger.id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ outcome: 'started', headers: { subject: 'in/a.csv' } });
    const { body } = await api.call('task.listMessages', { task_id: String(event?.task_id), order: 'asc' });
    expect(body.messages[0]?.user_message).toMatchObject({
      content: 'Read a.csv: 3',
      attachments: [expect.objectContaining({ filename: 'a.csv' })],
    });
    await writeFile(join(base, 'drop/in/a.csv'), 'x,y,z');
    await look();
    expect(await outcomesOf(trigger.id)).toEqual(['started', 'started']);
  });

  it('leaves a file alone until it has not changed for a while', async () => {
    const trigger = await create({ root: 'drop' });
    await writeFile(join(base, 'drop/a.csv'), 'x');
    const worker = createWorker();
    await beDue();
    await worker.start();
    await worker.stop();
    expect(await outcomesOf(trigger.id)).toEqual([]);
    await look();
    expect(await outcomesOf(trigger.id)).toEqual(['started']);
  });

  it('starts each file once, with four processes, in several looks, and after a crash before the file was passed', async () => {
    const trigger = await create({ root: 'drop' });
    for (let index = 0; index < 25; index += 1) await writeFile(join(base, `drop/${index}.txt`), 'x');
    await look(4);
    expect(await outcomesOf(trigger.id)).toHaveLength(20);
    await look(4);
    expect(await outcomesOf(trigger.id)).toEqual(Array.from({ length: 25 }, () => 'started'));
    await store.query('UPDATE triggers SET seen_at = 0 WHERE id = ? RETURNING id', String(trigger.id));
    await look();
    expect((await outcomesOf(trigger.id)).slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'duplicate'));
    expect(await countTasks()).toBe(25);
  });

  it('follows no link, and tells its owner when the folder is one', async () => {
    await writeFile(join(base, 'secret.txt'), 'secret');
    const trigger = await create({ root: 'drop', path: 'in' });
    await symlink(join(base, 'secret.txt'), join(base, 'drop/in/link.txt'));
    await look();
    expect(await outcomesOf(trigger.id)).toEqual([]);
    await rename(join(base, 'drop/in'), join(base, 'drop/old'));
    await symlink(base, join(base, 'drop/in'));
    await look();
    const { body } = await api.call('trigger.detail', { trigger_id: String(trigger.id) });
    expect(body.trigger).toMatchObject({ folder_problem: expect.stringContaining('is a link') as string });
    expect(JSON.stringify(body)).not.toContain(base);
    expect(await outcomesOf(trigger.id)).toEqual([]);
  });

  it('starts what arrived while it was paused once it is active again, and watches another folder from then on', async () => {
    const trigger = await create({ root: 'drop', path: 'in' });
    const update = (change: Json) => api.call('trigger.update', { trigger_id: String(trigger.id), ...change });
    await update({ status: 'paused' });
    await writeFile(join(base, 'drop/in/a.txt'), 'x');
    await look();
    expect(await outcomesOf(trigger.id)).toEqual([]);
    await update({ status: 'active' });
    await look();
    expect(await outcomesOf(trigger.id)).toEqual(['started']);
    const { body } = await update({ folder: { root: 'drop' } });
    expect(body.trigger).toMatchObject({ folder: { root: 'drop', path: '', pattern: '*' } });
  });

  it('finds a file again that it was about to take when it was paused', async () => {
    const trigger = await create({ root: 'drop', path: 'in' });
    const update = (status: string) => api.call('trigger.update', { trigger_id: String(trigger.id), status });
    await writeFile(join(base, 'drop/in/a.txt'), 'x');
    interrupt = async () => {
      await update('paused');
      interrupt = () => Promise.resolve();
    };
    resume = async () => {
      await update('active');
      resume = () => Promise.resolve();
    };
    await look();
    expect(await outcomesOf(trigger.id)).toEqual(['failed']);
    await look();
    expect(await outcomesOf(trigger.id)).toEqual(['started', 'failed']);
    expect(await countTasks()).toBe(1);
  });

  it('waits while tasks cannot start, and says so, without a delivery for each attempt', async () => {
    const trigger = await create({ root: 'drop', path: 'in' });
    await writeFile(join(base, 'drop/in/a.txt'), 'x');
    const problemOf = async () =>
      ((await api.call('trigger.detail', { trigger_id: String(trigger.id) })).body['trigger'] as Json)['folder_problem'];
    busy = () => {
      throw new Fault('resource_exhausted', 'Too many tasks were started.');
    };
    for (let attempt = 0; attempt < 3; attempt += 1) await look();
    expect(await eventsOf(trigger.id)).toEqual([]);
    expect(await problemOf()).toBe('The file in/a.txt waits and is tried again every minute: Too many tasks were started.');
    busy = null;
    await look();
    expect(await outcomesOf(trigger.id)).toEqual(['started']);
    expect(await problemOf()).toBeFalsy();
  });

  it('is tried with the description of a file, without one', async () => {
    const trigger = await create({ root: 'drop' });
    const body = { name: 'a.csv', size_bytes: 7 };
    const { body: tried } = await api.call('trigger.try', { trigger_id: String(trigger.id), body });
    const { body: said } = await api.call('task.listMessages', { task_id: String(tried.task_id), order: 'asc' });
    expect(said.messages[0]?.user_message).toMatchObject({ content: 'Read a.csv: 7', attachments: [] });
  });

  it.each([
    [{ root: 'etc' }, 'folder.root'],
    [{ root: 'toString' }, 'folder.root'],
    [{ root: 'drop', path: '../secret' }, 'folder.path'],
    [{ root: 'drop', path: '/etc' }, 'folder.path'],
    [{ root: 'drop', pattern: '../*' }, 'folder.pattern'],
    [undefined, 'folder'],
  ])('refuses the folder %j', async (folder, param) => {
    const { status, body } = await api.call('trigger.create', { ...plain, folder });
    expect([status, body.error.param]).toEqual([400, param]);
  });

  it('gives each account its own folder of a root that says so, and nobody another’s trigger', async () => {
    const stranger = await addOwner(store.database);
    const trigger = await create({ root: 'own' });
    const hostile = await api.call('trigger.create', { ...plain, folder: { root: 'own' } }, { key: stranger.key });
    expect(hostile.status).toBe(200);
    await mkdir(join(base, api.owner.accountId));
    await writeFile(join(base, api.owner.accountId, 'a.txt'), 'x');
    await look();
    expect(await outcomesOf(trigger.id)).toEqual(['started']);
    const { body } = await api.call('task.list', {}, { key: stranger.key });
    expect(body.data).toEqual([]);
    const change = { trigger_id: String(trigger.id), folder: { root: 'drop' } };
    expect((await api.call('trigger.update', change, { key: stranger.key })).status).toBe(404);
  });

  it('is refused with the setting that is missing where the operator names no folders', async () => {
    const bare = await ApiUnderTest.start(store.database, { clock });
    const { status, body } = await bare.call('trigger.create', { ...plain, folder: { root: 'drop' } });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('ERRAND_WATCH_ROOTS')]);
    await bare.stop();
  });
});
