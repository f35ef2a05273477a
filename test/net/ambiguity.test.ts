import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiUnderTest } from '../support/http/api-under-test.ts';
import { ask, RawSocket } from '../support/http/raw-socket.ts';
import { type OpenStore, openStore } from '../support/db/databases.ts';
import { ambiguousCases } from './ambiguity-cases.ts';

let store: OpenStore;
let api: ApiUnderTest;
beforeAll(async () => {
  store = await openStore('sqlite');
  api = await ApiUnderTest.start(store.database);
});
afterAll(async () => {
  await api.stop();
  await store.close();
});

const codes = new Set(['invalid_argument', 'unauthenticated', 'not_found']);

it('rejects every request that a proxy could have interpreted differently, in 200 forms', async () => {
  const cases = ambiguousCases(`x-service-api-key: ${api.owner.key}`);
  expect(cases.length).toBeGreaterThanOrEqual(200);
  const wrong: unknown[] = [];
  for (const { name, request } of cases) {
    const { status, body } = await ask(api.port, request);
    const code = (body?.error as { code?: string } | undefined)?.code ?? '';
    if (status < 400 || status >= 500 || !codes.has(code)) wrong.push([name, status, body]);
  }
  expect(wrong).toEqual([]);
  expect((await api.call('task.list')).body.data).toEqual([]);
});

it('reads nothing after a request with an ambiguous end', async () => {
  const smuggled = Buffer.from('GET /healthz HTTP/1.1\r\nhost: errand.test\r\n\r\n');
  const wrong: unknown[] = [];
  for (const { name, request, isFraming } of ambiguousCases(`x-service-api-key: ${api.owner.key}`)) {
    if (!isFraming) continue;
    const raw = await RawSocket.open(api.port);
    raw.write(Buffer.concat([request, smuggled]));
    const received = await raw.readAll();
    if (received.split('HTTP/1.1 ').length > 2 || received.includes('"models"')) wrong.push([name, received]);
  }
  expect(wrong).toEqual([]);
});
