import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { systemClock } from '@errand/base/clock.ts';
import { createLog, type Log } from '@errand/base/log.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Fault } from '@errand/base/fault.ts';
import { receiveFile } from '../../src/api/triggers/receive-file.ts';
import { BucketLooks } from '../../src/work/triggers/bucket-looks.ts';
import { BucketWorker } from '../../src/work/triggers/look-worker.ts';
import { openBucket } from '../../src/work/triggers/open-bucket.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { S3Storage, storageKeys } from '../support/files/s3-storage.ts';
import { addOwner, type Answer, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { sampleTriggerSecrets } from '../support/triggers/sample-trigger.ts';

const httpClient = createSafeFetch({ allow: ['127.0.0.1/32'], clock: systemClock });
const longAgoMs = Date.UTC(2020, 0, 1);

describeStores('a trigger for a bucket', (store) => {
  let api: ApiUnderTest;
  let storage: S3Storage;
  let clock: TestClock;
  let log: Log;
  const lines: string[] = [];
  /** Happens before an object is taken. */
  let interrupt = (): Promise<void> => Promise.resolve();
  let busy: (() => void) | null = null;
  /** Takes the place of the store when a task is to start. */
  let broke: (() => Promise<never>) | null = null;
  const createLooks = (database = store.database) =>
    new BucketLooks({
      ...{ database, clock, log },
      openBucket: (trigger) => openBucket(trigger, sampleTriggerSecrets, { httpClient, allowHttp: true, clock }),
      async fire(trigger, object, signal) {
        // Ids sort by their milliseconds.
        await clock.advance(1);
        await interrupt();
        const opened = api.http.triggers.open(trigger, signal);
        const ports = { ...opened, ...(busy && { countStart: busy }), ...(broke && { run: broke }) };
        const outcome = await receiveFile(trigger, object, ports);
        return outcome === 'started' || outcome === 'duplicate';
      },
    });
  const createWorker = (database = store.database, looks = createLooks(database)) => {
    return new BucketWorker({ database, clock, log, drainMs: 60_000 }, (look, signal) => looks.look(look, signal));
  };
  const plain = { name: 'New', type: 'bucket', message_template: 'Read {{name}}: {{size_bytes}}' };
  const bucketOf = (more: Json = {}) => ({ endpoint: storage.endpoint, name: 'drop', ...storageKeys, ...more });
  const create = async (bucket: Json = {}, more: Json = {}): Promise<string> => {
    const { body } = await api.call('trigger.create', { ...plain, bucket: bucketOf(bucket), ...more });
    expect(body.error).toBeUndefined();
    return String((body.trigger as Json).id);
  };
  const update = (id: string, change: Json): Promise<Answer> => api.call('trigger.update', { trigger_id: id, ...change });
  const eventsOf = async (id: string) => (await api.call('trigger.events', { trigger_id: id, limit: 100 })).body.data;
  const outcomesOf = async (id: string) => (await eventsOf(id)).map(({ outcome }) => String(outcome));
  const namesOf = async (id: string) => (await eventsOf(id)).map(({ headers }) => String((headers as Json).subject));
  const problemOf = async (id: string) =>
    ((await api.call('trigger.detail', { trigger_id: id })).body.trigger as Json).bucket_problem;
  const countTasks = async () => (await api.call('task.list', { limit: 100 })).body.data.length;
  const countSeen = async () =>
    Number((await store.query("SELECT COUNT(*) AS count FROM trigger_objects WHERE digest <> ''"))[0]?.['count']);
  /** One look of each of so many processes. */
  const look = async (count = 1) => {
    await store.query('UPDATE triggers SET look_at = 0 WHERE look_at IS NOT NULL RETURNING id');
    const workers = [store.database, ...store.others, store.database].slice(0, count).map((database) => createWorker(database));
    await Promise.all(workers.map((worker) => worker.start()));
    await Promise.all(workers.map((worker) => worker.stop()));
  };

  beforeEach(async () => {
    await store.query('UPDATE triggers SET look_at = NULL WHERE look_at IS NOT NULL RETURNING id');
    await store.query("DELETE FROM trigger_objects WHERE digest <> '' RETURNING digest");
    storage = await S3Storage.start();
    clock = new TestClock(Date.now());
    interrupt = () => Promise.resolve();
    busy = null;
    broke = null;
    lines.length = 0;
    log = createLog(
      'trace',
      new PassThrough().on('data', (chunk: Buffer) => lines.push(chunk.toString())),
    );
    api = await ApiUnderTest.start(store.database, { clock, log, httpClient, reach: { hasOpenings: true } });
  });
  afterEach(async () => {
    await api.stop();
    await storage[Symbol.asyncDispose]();
  });

  it('starts a task with each new object once, attached as a file, and none with those that were there before', async () => {
    storage.put('in/old.csv', 'old', { modifiedAtMs: longAgoMs });
    const id = await create({ prefix: 'in/', pattern: '*.csv' });
    storage.put('in/deep/a b+ü(1).csv', 'x,y');
    storage.put('in/a.tmp', 'x');
    storage.put('in/', '');
    storage.put('out/b.csv', 'x');
    await look();
    await look();
    const [event, ...others] = await eventsOf(id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ outcome: 'started', headers: { subject: 'in/deep/a b+ü(1).csv' } });
    const { body } = await api.call('task.listMessages', { task_id: String(event?.task_id), order: 'asc' });
    expect(body.messages[0]?.user_message).toMatchObject({
      content: 'Read a b+ü(1).csv: 3',
      attachments: [expect.objectContaining({ filename: 'a b+ü(1).csv' })],
    });
    expect([...api.blobStore.kept.values()].map(String)).toEqual(['x,y']);
  });

  it('starts another task when an object is overwritten, or comes again after it was gone, and none for the same state', async () => {
    const id = await create();
    storage.put('a.txt', 'one');
    await look();
    storage.put('a.txt', 'one', { modifiedAtMs: Date.now() + 5000 });
    await look();
    expect(await outcomesOf(id)).toEqual(['started']);
    storage.put('a.txt', 'two');
    await look();
    storage.delete('a.txt');
    await look();
    expect(await countSeen()).toBe(0);
    storage.put('a.txt', 'two', { modifiedAtMs: Date.now() + 9000 });
    await look();
    expect(await outcomesOf(id)).toEqual(['started', 'started', 'started']);
  });

  it('finds what ends late though it began early, as uploads in parts do, once the first list is through', async () => {
    const id = await create();
    await look();
    storage.put('large.bin', 'parts', { modifiedAtMs: longAgoMs, etag: '0123456789abcdef0123456789abcdef-3' });
    await look();
    expect(await namesOf(id)).toEqual(['large.bin']);
  });

  it('knows 2,500 objects of three pages, and takes what is new on each of them with four processes at once', async () => {
    for (let index = 0; index < 2500; index += 1) storage.put(`${index}.txt`, 'x', { modifiedAtMs: longAgoMs });
    const id = await create();
    await look();
    expect(await countSeen()).toBe(2500);
    for (const name of ['0-new.txt', '5-new.txt', '9-new.txt']) storage.put(name, 'x');
    await look(4);
    await look(4);
    expect((await namesOf(id)).toSorted()).toEqual(['0-new.txt', '5-new.txt', '9-new.txt']);
    expect(await countTasks()).toBe(3);
  });

  it('starts one task for an object whose task had started when its process died', async () => {
    const id = await create();
    storage.put('a.txt', 'x');
    await look();
    await store.query("DELETE FROM trigger_objects WHERE digest <> '' RETURNING digest");
    await look();
    expect(await outcomesOf(id)).toEqual(['duplicate', 'started']);
    expect(await countTasks()).toBe(1);
  });

  it('starts nothing for a look that another process has taken over', async () => {
    const id = await create();
    storage.put('a.txt', 'x');
    interrupt = async () => {
      await store.query('UPDATE triggers SET look_at = look_at + 1 WHERE id = ? RETURNING id', id);
    };
    await look();
    expect([await eventsOf(id), await countTasks(), await countSeen()]).toEqual([[], 0, 0]);
    interrupt = () => Promise.resolve();
    await look();
    expect(await outcomesOf(id)).toEqual(['started']);
  });

  it('takes the objects of a busy prefix in several looks, and waits while tasks cannot start', async () => {
    const id = await create();
    await look();
    for (let index = 0; index < 60; index += 1) storage.put(`${index}.txt`, 'x');
    await look();
    expect(await countTasks()).toBe(50);
    busy = () => {
      throw new Fault('resource_exhausted', 'Too many tasks were started.');
    };
    await look();
    expect(await problemOf(id)).toMatch(
      /^The object \d+\.txt waits and is tried again every minute: Too many tasks were started\.$/,
    );
    busy = null;
    await look();
    expect(await outcomesOf(id)).toEqual(Array.from({ length: 60 }, () => 'started'));
    expect(await problemOf(id)).toBeUndefined();
  });

  it('deletes an object once its task has started, if it should, and no other', async () => {
    storage.put('old.txt', 'x', { modifiedAtMs: longAgoMs });
    const id = await create({ after: 'delete' }, { filter: [{ pointer: '/size_bytes', equals: 1 }] });
    storage.put('new.txt', 'x');
    storage.put('other.txt', 'not wanted');
    await look();
    expect(storage.keys.toSorted()).toEqual(['new.txt', 'old.txt', 'other.txt']);
    await look();
    expect(storage.keys.toSorted()).toEqual(['old.txt', 'other.txt']);
    expect((await outcomesOf(id)).toSorted()).toEqual(['filtered', 'started']);
    storage.put('new.txt', 'x', { modifiedAtMs: Date.now() + 5000 });
    await look();
    expect(await countTasks()).toBe(2);
  });

  it('finds what came while it was paused, and begins anew with another prefix but not with other keys', async () => {
    const id = await create({ prefix: 'in/' });
    await look();
    await update(id, { status: 'paused' });
    storage.put('in/a.txt', 'x');
    storage.put('out/b.txt', 'x', { modifiedAtMs: longAgoMs });
    await look();
    expect(await outcomesOf(id)).toEqual([]);
    const { body } = await update(id, { status: 'active', bucket: storageKeys });
    expect(body.trigger).toMatchObject({ bucket: { endpoint: storage.endpoint, name: 'drop', prefix: 'in/', pattern: '*' } });
    await look();
    expect(await namesOf(id)).toEqual(['in/a.txt']);
    await update(id, { bucket: { prefix: 'out/' } });
    await look();
    storage.put('out/c.txt', 'x');
    await look();
    expect(await namesOf(id)).toEqual(['out/c.txt', 'in/a.txt']);
  });

  it('passes an object that no task can have, and says why', async () => {
    const id = await create();
    storage.put('a/../../other/secret.txt', 'x');
    storage.put('run.sh', 'x');
    storage.put('fine.txt', 'x');
    await look();
    await look();
    const events = Object.fromEntries(
      (await eventsOf(id)).map(({ headers, error }) => [String((headers as Json).subject), error]),
    );
    expect(events).toEqual({
      'a/../../other/secret.txt': expect.stringContaining('cannot be requested') as string,
      'run.sh': expect.stringContaining('programs or scripts') as string,
      'fine.txt': undefined,
    });
    expect(storage.requests.filter((request) => request.includes('other'))).toEqual([]);
  });

  it.each([
    [true, 'knows'],
    [false, 'does not know'],
  ])(
    'leaves an object alone that is replaced before it is read, and takes what it has become (%s: the storage %s conditions)',
    async (knowsConditions) => {
      storage.knowsConditions = knowsConditions;
      const id = await create();
      storage.put('a.txt', 'one');
      interrupt = () => {
        storage.put('a.txt', 'two');
        interrupt = () => Promise.resolve();
        return Promise.resolve();
      };
      await look();
      expect([await outcomesOf(id), await problemOf(id)]).toEqual([[], undefined]);
      await look();
      expect(await outcomesOf(id)).toEqual(['started']);
      expect([...api.blobStore.kept.values()].map(String)).toEqual(['two']);
    },
  );

  it('skips an object that cannot be read for now, tells its owner, and takes the others', async () => {
    const id = await create();
    storage.put('a.txt', 'x');
    storage.put('b.txt', 'x');
    storage.misbehave = (_, response, url) => url.pathname.endsWith('a.txt') && refuse(response, 403, 'AccessDenied');
    await look();
    expect(await namesOf(id)).toEqual(['b.txt']);
    expect(await problemOf(id)).toContain('The object a.txt cannot be read and is tried again');
    storage.misbehave = null;
    await look();
    expect(await namesOf(id)).toEqual(['a.txt', 'b.txt']);
    expect(await problemOf(id)).toBeUndefined();
  });

  it('takes what lies behind objects that can never be read, and does not lose those either', async () => {
    const id = await create();
    for (let index = 0; index < 12; index += 1) storage.put(`a${index}.txt`, 'x');
    storage.put('b.txt', 'x');
    storage.misbehave = (_, response, url) => /a\d+\.txt$/.test(url.pathname) && refuse(response, 403, 'AccessDenied');
    const looks = createLooks();
    const lookAgain = async () => {
      await store.query('UPDATE triggers SET look_at = 0 WHERE look_at IS NOT NULL RETURNING id');
      const worker = createWorker(store.database, looks);
      await worker.start();
      await worker.stop();
    };
    for (let count = 0; count < 3; count += 1) await lookAgain();
    expect(await namesOf(id)).toEqual(['b.txt']);
    storage.misbehave = null;
    for (let count = 0; count < 4; count += 1) await lookAgain();
    expect(await namesOf(id)).toHaveLength(13);
  });

  it('does not keep the bytes of an object whose task cannot start yet', async () => {
    const id = await create();
    storage.put('a.txt', 'x');
    broke = () => Promise.reject(new Fault('resource_exhausted', 'No credits left.'));
    await look();
    expect([await outcomesOf(id), await problemOf(id)]).toEqual([[], expect.stringContaining('waits and is tried again')]);
    const [left] = await store.query('SELECT COUNT(*) AS count FROM blobs WHERE sweep_at > ?', Date.now() + 60_000);
    expect(Number(left?.['count'])).toBe(0);
    broke = null;
    await look();
    expect(await outcomesOf(id)).toEqual(['started']);
  });

  it('deletes nothing once the trigger no longer deletes', async () => {
    const id = await create({ after: 'delete' });
    for (const name of ['a.txt', 'b.txt']) storage.put(name, 'x');
    await look();
    expect(await outcomesOf(id)).toHaveLength(2);
    const pauseAnd = async (response: ServerResponse) => {
      await update(id, { status: 'paused' });
      response.writeHead(204).end();
    };
    storage.misbehave = (request, response) => {
      if (request.method !== 'DELETE') return false;
      void pauseAnd(response);
      return true;
    };
    await look();
    expect(storage.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
  });

  it('pauses longer after each failure, says what is wrong, and goes on by itself', async () => {
    const id = await create();
    const dueAt: number[] = [];
    storage.misbehave = (_, response) => refuse(response, 503, 'SlowDown');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await look();
      const [row] = await store.query('SELECT look_at FROM triggers WHERE id = ?', id);
      dueAt.push(Number(row?.['look_at']));
    }
    expect(await problemOf(id)).toBe('The storage is asked too much, or does not work at present (503 SlowDown).');
    const [failures] = await store.query('SELECT watch_failures FROM triggers WHERE id = ?', id);
    expect(failures?.['watch_failures']).toBe(3);
    const [first = 0, second = 0, third = 0] = dueAt;
    expect(second - first).toBeGreaterThanOrEqual(60_000);
    expect(third - second).toBeGreaterThanOrEqual(120_000);
    storage.misbehave = null;
    storage.put('a.txt', 'x');
    await look();
    expect([await outcomesOf(id), await problemOf(id)]).toEqual([['started'], undefined]);
  });

  it.each<[string, (response: ServerResponse, url: URL) => boolean, RegExp]>([
    ['a list that does not end', (response) => endless(response), /does not end/],
    ['a list of too many objects', (response, url) => crowded(response, url), /more than 100000 objects/],
    ['a page', (response) => answer(response, '<html></html>'), /no list of objects/],
    ['an answer without an end', (response) => flood(response), /no list of objects|sends too much/],
    [
      'a redirect to a private address',
      (response) => {
        response.writeHead(307, { location: 'http://169.254.169.254/latest/' });
        response.end();
        return true;
      },
      /names another address, which is not followed/,
    ],
  ])('stops at %s, and starts and forgets nothing', async (_, misbehave, problem) => {
    storage.put('known.txt', 'x', { modifiedAtMs: longAgoMs });
    const id = await create();
    await look();
    storage.misbehave = (__, response, url) => misbehave(response, url);
    await look();
    expect(await problemOf(id)).toMatch(problem);
    expect([await countTasks(), await countSeen()]).toEqual([0, 1]);
  });

  it.each<[string, Json, string]>([
    ['another secret', { secret_access_key: 'wrong' }, 'bucket.secret_access_key'],
    ['an unknown key', { access_key_id: 'nobody' }, 'bucket.access_key_id'],
    ['a bucket that does not exist', { name: 'none' }, 'bucket.name'],
    ['an endpoint where nothing answers', { endpoint: 'http://127.0.0.1:9' }, 'bucket.endpoint'],
    ['a private address', { endpoint: 'http://10.0.0.1' }, 'bucket.endpoint'],
    ['no URL', { endpoint: 'storage' }, 'bucket.endpoint'],
    ['a URL with a password', { endpoint: 'https://a:b@s3.example.com' }, 'bucket.endpoint'],
    ['a name with a slash', { name: 'a/b' }, 'bucket.name'],
    ['a pattern with a slash', { pattern: 'a/*' }, 'bucket.pattern'],
    ['a region with a line break', { region: 'a\nb' }, 'bucket.region'],
    ['a secret of two lines', { secret_access_key: 'a\r\nx: y' }, 'bucket.secret_access_key'],
    ['no keys', { access_key_id: undefined }, 'bucket.access_key_id'],
  ])('is refused with %s, which the answer names', async (_, bucket, param) => {
    const { status, body } = await api.call('trigger.create', { ...plain, bucket: bucketOf(bucket) });
    expect([status, body.error.param]).toEqual([400, param]);
    expect((await api.call('trigger.list')).body.data).toEqual([]);
  });

  it('needs an encrypted connection where the operator has opened no private address', async () => {
    await using strict = await ApiUnderTest.start(store.database, { clock, httpClient });
    const { body } = await strict.call('trigger.create', { ...plain, bucket: bucketOf() });
    expect(body.error).toMatchObject({ param: 'bucket.endpoint', message: expect.stringContaining('https://') as string });
  });

  it('shows its keys to nobody, stores them sealed, and sends them to no other endpoint', async () => {
    const id = await create();
    storage.misbehave = (_, response) => refuse(response, 403, 'AccessDenied');
    await look();
    const canary = storageKeys.secret_access_key;
    const answers = [await api.call('trigger.detail', { trigger_id: id }), await api.call('trigger.list'), await eventsOf(id)];
    expect(JSON.stringify(answers)).not.toContain(canary);
    for (const table of ['triggers', 'trigger_events', 'trigger_objects', 'security_events', 'api_requests']) {
      expect(JSON.stringify(await store.query(`SELECT * FROM ${table}`))).not.toContain(canary);
    }
    expect(lines.join('')).toContain('trigger.create');
    expect(lines.join('')).not.toContain(canary);
    storage.misbehave = null;
    const moved = await update(id, { bucket: { endpoint: storage.endpoint.replace('127.0.0.1', 'localhost') } });
    expect([moved.status, moved.body.error.param]).toEqual([400, 'bucket.access_key_id']);
    const rotated = await update(id, { rotate_secret: true });
    expect([rotated.status, rotated.body.error.param]).toEqual([400, 'verification']);
  });

  it('is nobody else’s, and leaves nothing behind when it is deleted', async () => {
    const stranger = await addOwner(store.database);
    storage.put('old.txt', 'x', { modifiedAtMs: longAgoMs });
    const id = await create();
    await look();
    const change = { trigger_id: id, bucket: { after: 'delete' } };
    expect((await api.call('trigger.update', change, { key: stranger.key })).status).toBe(404);
    expect((await api.call('trigger.detail', { trigger_id: id }, { key: stranger.key })).status).toBe(404);
    expect(await countSeen()).toBe(1);
    await api.call('trigger.delete', { trigger_id: id });
    expect(await countSeen()).toBe(0);
  });
});

function answer(response: ServerResponse, text: string): boolean {
  response.end(text);
  return true;
}

function refuse(response: ServerResponse, status: number, code: string): boolean {
  response.statusCode = status;
  return answer(response, `<Error><Code>${code}</Code></Error>`);
}

function list(inner: string): string {
  return `<ListBucketResult>${inner}</ListBucketResult>`;
}

function endless(response: ServerResponse): boolean {
  return answer(response, list('<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>'));
}

/** A page of a thousand objects, and always another one. */
function crowded(response: ServerResponse, url: URL): boolean {
  const page = Number(url.searchParams.get('continuation-token') ?? 0);
  const time = new Date(longAgoMs).toISOString();
  const objects = Array.from(
    { length: 1000 },
    (_, index) =>
      `<Contents><Key>.${page}-${index}</Key><LastModified>${time}</LastModified><ETag>e</ETag><Size>1</Size></Contents>`,
  );
  const next = `<IsTruncated>true</IsTruncated><NextContinuationToken>${page + 1}</NextContinuationToken>`;
  return answer(response, list(objects.join('') + next));
}

/** More bytes than a list may have. */
function flood(response: ServerResponse): boolean {
  response.on('error', () => undefined);
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let count = 0; count < 12; count += 1) response.write(piece);
  return answer(response, '');
}
