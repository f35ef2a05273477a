import { afterEach, beforeEach, expect, it } from 'vitest';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { TestClock } from '../support/base/test-clock.ts';
import { idleConnectors } from '../support/connectors/idle-connectors.ts';
import { describeStores } from '../support/db/databases.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { RawSocket } from '../support/http/raw-socket.ts';
import { idleWebhookService } from '../support/webhooks/idle-webhook-service.ts';

const many = 10;

describeStores('requests that servers of others hold', (store) => {
  const clock = new TestClock();
  const gauge = new LoadGauge(clock);
  let [held, end] = [0, new AbortController()];
  let api: ApiUnderTest;

  /** A server that answers when the test is over. */
  const hold = (): Promise<never> => {
    held += 1;
    return new Promise((_resolve, reject) => {
      end.signal.addEventListener('abort', () => reject(new Error('over')), { once: true });
    });
  };
  const measure = async () => {
    await clock.advance(60);
    gauge.measure();
    await clock.advance(60);
    return gauge.measure().waiting;
  };
  const callMany = (name: string, input: Json) => Array.from({ length: many }, () => api.call(name, input));

  beforeEach(async () => {
    api = await ApiUnderTest.start(store.database, {
      gauge,
      httpClient: { request: hold },
      connectors: { ...idleConnectors, listTools: hold },
      webhooks: { ...idleWebhookService, sendOnce: hold },
    });
  });
  afterEach(() => api.stop());

  const file = [{ type: 'file', file_url: 'https://files.example/a.txt' }];
  it.each([
    ['task.create', { message: { content: file } }],
    ['connector.create', { name: 'Garden', url: 'https://mcp.example/' }],
    ['webhook.trigger', { event: 'task_created', url: 'https://hooks.example/' }],
  ])('are no load of this process: %s', async (name, input) => {
    [held, end] = [0, new AbortController()];
    const calls = callMany(name, input);
    await expect.poll(() => held).toBe(many);
    expect(await measure()).toBe(0);
    end.abort();
    await Promise.all(calls);
  });

  it('are no load of this process: uploads that are sent slowly', async () => {
    const sockets: RawSocket[] = [];
    for (let at = 0; at < many; at += 1) {
      const { upload_url } = (await api.call('file.upload', { filename: 'a.txt' })).body;
      const { port, pathname, search } = new URL(String(upload_url));
      const socket = await RawSocket.open(Number(port));
      socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1`);
      sockets.push(socket);
    }
    expect(await measure()).toBe(0);
    for (const socket of sockets) socket.write('23456789');
    for (const socket of sockets) expect((await socket.read()).status).toBe(200);
    for (const socket of sockets) socket.end();
  });

  it('are still load while they wait for this process', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const run = store.database.run.bind(store.database);
    store.database.run = async (operation, args) => {
      if (operation.name !== 'tasks.create') return run(operation, args);
      asked += 1;
      await promise;
      return run(operation, args);
    };
    const calls = callMany('task.create', { message: { content: 'Hello' } });
    await expect.poll(() => asked).toBe(many);
    expect(await measure()).toBe(many);
    resolve();
    await Promise.all(calls);
    store.database.run = run;
  });
});
