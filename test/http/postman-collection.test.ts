import { expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { LocalService } from '../support/service/local-service.ts';

interface Item {
  name: string;
  request: { method: string; url: { raw: string }; header: { key: string; value: string }[]; body?: { raw: string } };
}

interface Collection {
  auth: { apikey: { key: string; value: string }[] };
  variable: { key: string; value: string }[];
  item: { name: string; item: Item[] }[];
}

it('the collection for Postman has every operation, and its requests work once the key is filled in', async () => {
  await using service = await LocalService.start({ env: { ERRAND_RATE_LIMITS: 'off' } });
  const collection = (await (await fetch(`${service.url}/postman.json`)).json()) as Collection;
  const items = collection.item.flatMap(({ item }) => item);
  expect(items.map(({ name }) => name).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  const base = collection.variable.find(({ key }) => key === 'base_url')?.value ?? '';
  const [name = '', value = ''] = ['key', 'value'].map((part) => collection.auth.apikey.find(({ key }) => key === part)?.value);
  const send = async (wanted: string) => {
    const { request } = items.find((item) => item.name === wanted) ?? expect.fail(`no request ${wanted}`);
    const headers = Object.fromEntries(request.header.map((header) => [header.key, header.value]));
    const response = await fetch(request.url.raw.replace('{{base_url}}', base), {
      method: request.method,
      headers: { ...headers, [name]: value.replace('{{api_key}}', service.apiKey) },
      ...(request.body && { body: request.body.raw }),
    });
    return response.status;
  };
  for (const wanted of ['task.create', 'task.list', 'project.create', 'webhook.list', 'usage.availableCredits']) {
    expect([wanted, await send(wanted)]).toEqual([wanted, 200]);
  }
  // Fields that the caller has to fill in are named, and their absence is a clear error.
  expect(await send('task.stop')).toBeGreaterThanOrEqual(400);
});
