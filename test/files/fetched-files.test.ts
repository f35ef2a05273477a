import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { createSafeFetch } from '@errand/base/net/safe-fetch.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest } from '../support/http/api-under-test.ts';
import { eventually } from '../support/service/service-client.ts';

const megabyte = 1024 * 1024;

/** Requests that have reached the server of files, in order, answered as the test says. */
class FileServer {
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  readonly #takers: ((exchange: [IncomingMessage, ServerResponse]) => void)[] = [];
  readonly #server = createServer((request, response) => {
    const taker = this.#takers.shift();
    if (taker) taker([request, response]);
    else this.#waiting.push([request, response]);
  });
  arrived = 0;

  async start(): Promise<void> {
    this.#server.on('request', () => (this.arrived += 1));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/file.bin`;
  }

  next(): Promise<[IncomingMessage, ServerResponse]> {
    const known = this.#waiting.shift();
    return known ? Promise.resolve(known) : new Promise((resolve) => this.#takers.push(resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

describeStores('a file given by URL', (store) => {
  let files: FileServer;
  let api: ApiUnderTest;
  const clock = new TestClock(Date.now());

  beforeAll(async () => {
    const memory = new FairGate({ capacity: 4 * megabyte });
    const httpClient = createSafeFetch({ allow: ['127.0.0.1/32'], clock: systemClock, memory });
    api = await ApiUnderTest.start(store.database, { clock, httpClient, memory });
  });
  beforeEach(async () => {
    files = new FileServer();
    await files.start();
  });
  afterEach(() => files.stop());
  afterAll(() => api.stop());

  const create = (key: string, count = 1, signal?: AbortSignal, headers: Record<string, string> = {}) =>
    fetch(`${api.http.url()}/v2/task.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': key, ...headers },
      body: JSON.stringify({
        message: { content: Array.from({ length: count }, () => ({ type: 'file', file_url: files.url })) },
      }),
      ...(signal && { signal }),
    });

  it('is no longer fetched once its sender has disconnected, and no other of the message is begun', async () => {
    const { key } = await addOwner(store.database);
    const leaving = new AbortController();
    const sent = create(key, 9, leaving.signal);
    const exchanges = await Promise.all([files.next(), files.next(), files.next(), files.next()]);
    const closed = exchanges.map(([, response]) => once(response, 'close'));
    for (const [, response] of exchanges) response.writeHead(200).write('begun');
    leaving.abort(new Error('the sender has left'));
    await expect(sent).rejects.toThrow('the sender has left');
    await Promise.all(closed);
    expect(files.arrived).toBe(4);
    expect(api.blobStore.kept.size).toBe(0);
  });

  it('makes one task if a sender who did not wait repeats the request with its Idempotency-Key', async () => {
    const { key } = await addOwner(store.database);
    const repeatable = { 'idempotency-key': 'a-file-that-takes-long' };
    const leaving = new AbortController();
    const sent = create(key, 1, leaving.signal, repeatable);
    const [, begun] = await files.next();
    const closed = once(begun, 'close');
    leaving.abort(new Error('the sender has left'));
    await expect(sent).rejects.toThrow('the sender has left');
    await closed;
    const repeated = create(key, 1, undefined, repeatable);
    (await files.next())[1].writeHead(200).end('content');
    const made = (await (await repeated).json()) as { task_id: string };
    const arrivals = files.arrived;
    const replayed = await create(key, 1, undefined, repeatable);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(await replayed.json()).toMatchObject({ task_id: made.task_id });
    expect(files.arrived).toBe(arrivals);
    const list = await fetch(`${api.http.url()}/v2/task.list`, { headers: { 'x-service-api-key': key } });
    expect(await list.json()).toMatchObject({ data: [{ id: made.task_id }] });
  });

  it('is fetched for one account at once while files of another fill all of its memory', async () => {
    const [greedy, modest] = [await addOwner(store.database), await addOwner(store.database)];
    const leaving = new AbortController();
    const flood = Array.from({ length: 5 }, () => create(greedy.key, 4, leaving.signal).catch(() => null));
    for (let left = 20; left > 0; left -= 1) {
      const [, response] = await files.next();
      // As much as the account may have, of which only the beginning ever comes.
      response.writeHead(200, { 'content-length': 2 * megabyte }).write('begun');
    }
    const sent = create(modest.key);
    const [, response] = await files.next();
    response.writeHead(200, { 'content-length': megabyte }).end(Buffer.alloc(megabyte));
    expect((await sent).status).toBe(200);
    leaving.abort();
    await Promise.all(flood);
  });

  it('that does not come in five seconds is left to the task, with its URL sealed in the log', async () => {
    const { key, accountId } = await addOwner(store.database);
    const kept = api.blobStore.kept.size;
    const sent = create(key, 2, undefined, { 'idempotency-key': 'late' });
    const [[, first], [, second]] = [await files.next(), await files.next()];
    const closed = once(second, 'close');
    first.writeHead(200).end('in time');
    await eventually('the first file is stored', () => Promise.resolve(api.blobStore.kept.size > kept ? true : null));
    await clock.advance(5000);
    const answer = await sent;
    expect(answer.status).toBe(200);
    const { task_id: taskId } = (await answer.json()) as { task_id: string };
    await closed;
    const list = await fetch(`${api.http.url()}/v2/task.listMessages?task_id=${taskId}`, {
      headers: { 'x-service-api-key': key },
    });
    const { messages } = (await list.json()) as { messages: { user_message?: object }[] };
    expect(messages.flatMap(({ user_message: said }) => said ?? [])).toMatchObject([
      { attachments: [{ filename: 'file.bin' }], pending_files: [{ filename: 'file.bin' }] },
    ]);
    const rows = await store.query('SELECT body FROM events WHERE account_id = ? AND task_id = ?', accountId, taskId);
    expect(JSON.stringify(rows)).toContain('sealedUrl');
    expect(JSON.stringify(rows)).not.toContain(files.url);
    const arrivals = files.arrived;
    const replayed = await create(key, 2, undefined, { 'idempotency-key': 'late' });
    expect(await replayed.json()).toMatchObject({ task_id: taskId });
    expect(files.arrived).toBe(arrivals);
  });

  it('that fails within five seconds is refused', async () => {
    const { key } = await addOwner(store.database);
    const sent = create(key);
    (await files.next())[1].writeHead(404).end();
    expect(await (await sent).json()).toMatchObject({
      error: { message: 'message.content[0].file_url: the server answered with status 404' },
    });
  });

  it('of a schedule, whose tasks come later, is refused if it does not come in two minutes, with a remedy', async () => {
    const { key } = await addOwner(store.database);
    const sent = fetch(`${api.http.url()}/v2/schedule.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': key },
      body: JSON.stringify({
        name: 'Daily',
        interval_seconds: 86_400,
        message: { content: [{ type: 'file', file_url: files.url }] },
      }),
    });
    const [, response] = await files.next();
    const closed = once(response, 'close');
    await clock.advance(120_000);
    const { error } = (await (await sent).json()) as { error: { code: string; message: string } };
    expect(error).toMatchObject({
      code: 'invalid_argument',
      message: 'message.content: files must be fetched within 120 seconds; send large files with file.upload',
    });
    await closed;
  });

  it('is stored as it arrives: what has come is not kept until the rest has', async () => {
    const { key } = await addOwner(store.database);
    const sent = create(key);
    const [, response] = await files.next();
    response.writeHead(200, { 'content-length': 20 * megabyte });
    const piece = Buffer.alloc(megabyte, 7);
    // Each is written when the one before has been taken.
    for (let left = 20; left > 0; left -= 1) if (!response.write(piece)) await once(response, 'drain');
    response.end();
    expect((await sent).status).toBe(200);
    const stored = [...api.blobStore.kept.values()];
    expect(stored.some((bytes) => bytes.length === 20 * megabyte)).toBe(true);
  });
});
