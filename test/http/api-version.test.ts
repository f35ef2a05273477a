import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { apiVersion } from '../../src/http/server/api-version.ts';
import { LocalService } from '../support/service/local-service.ts';

it('every answer of v2 names the version of the API, and a request for another version is refused', async () => {
  await using service = await LocalService.start();
  const ask = (place: string, headers: Record<string, string> = {}) => fetch(service.url + place, { headers });
  expect((await ask('/v2/task.list')).headers.get('errand-version')).toBe(apiVersion);
  expect((await ask('/v2/nothing')).headers.get('errand-version')).toBe(apiVersion);
  expect((await ask('/v2/task.list', { 'errand-version': apiVersion })).status).toBe(401);
  const refused = await ask('/v2/task.list', { 'errand-version': '2020-01-01' });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_argument', param: 'errand-version', message: expect.stringContaining(apiVersion) as string } },
  ]);
});

it('every error links to the page of its code, which exists', async () => {
  await using service = await LocalService.start();
  const refusals = await Promise.all(
    ['/v2/task.list', '/v2/nothing', '/v2/task.stream?task_id=x', '/web/task.show'].map(async (place) => {
      const { error } = (await (await fetch(service.url + place)).json()) as { error: { code: string; doc_url: string } };
      return error;
    }),
  );
  for (const { code, doc_url } of refusals) {
    expect(doc_url).toMatch(new RegExp(`^http://localhost:[0-9]+/docs/errors/${code}$`));
    expect(existsSync(path.join(import.meta.dirname, `../../docs/errors/${code}.md`))).toBe(true);
  }
});
