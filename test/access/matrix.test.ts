import { expect, it } from 'vitest';
import { adminOperations, operations, webOperations } from '../../src/api/index.ts';
import { describeStores } from '../support/db/databases.ts';
import { type Cell, fillInput, nameOf, readMatrix } from './matrix.ts';
import { AccessWorld } from './access-world.ts';

const matrix = readMatrix();
const codes: Record<number, string> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  412: 'failed_precondition',
};

async function call(world: AccessWorld, { operation, credential, input }: Cell, ids: Record<string, string>) {
  const row = [...operations, ...webOperations].find(({ name }) => name === nameOf(operation));
  if (!row) throw new Error(`there is no operation ${operation}`);
  const filled = fillInput(input, ids) as Record<string, unknown>;
  const headers = { ...world.credentials[credential] };
  const query = row.method === 'GET' ? `?${new URLSearchParams(filled as Record<string, string>).toString()}` : '';
  const response = await world.api.fetch(
    row.path + query,
    row.method === 'GET' ? {} : { method: 'POST', body: JSON.stringify(filled), headers: { 'content-type': 'application/json' } },
    { key: null, headers },
  );
  const { status } = response;
  if (row.kind === 'reply' || status !== 200) return { status, text: await response.text() };
  await response.body?.cancel();
  return { status, text: '' };
}

/** What an answer says, without what differs between two requests for the same. */
function wordsOf(text: string, ids: Record<string, string>): string {
  const said = text.replace(/"request_id":"[^"]*"/, '"request_id":""');
  return Object.entries(ids).reduce((words, [name, id]) => words.replaceAll(id, name), said);
}

describeStores('the access matrix', (store) => {
  it(`holds in all of its ${matrix.cells.length} cells, and no refusal reveals anything`, async () => {
    const world = await AccessWorld.build(store);
    await using _ = world.api;
    const wrong: string[] = [];
    /** By operation: how what does not exist is answered, to whomever. */
    const refusals = new Map<string, Set<string>>();
    for (const cell of matrix.cells) {
      const wanted = Object.values(cell.input).find((value) => typeof value === 'string' && value.startsWith('$')) as string;
      const ids = await world.prepare(cell.case, wanted);
      const { status, text } = await call(world, cell, ids);
      const at = `${cell.operation} with ${cell.credential} for ${cell.case}`;
      if (status !== cell.status) wrong.push(`${at}: ${status} instead of ${cell.status}: ${text.slice(0, 200)}`);
      if (status < 400) continue;
      if (cell.isHidden) refusals.set(cell.operation, (refusals.get(cell.operation) ?? new Set()).add(wordsOf(text, ids)));
      const { ok, error } = JSON.parse(text) as { ok: boolean; error: { code: string } };
      if (ok || error.code !== codes[status]) wrong.push(`${at}: ${text}`);
      for (const secret of world.secrets()) if (text.includes(secret)) wrong.push(`${at}: reveals ${secret}`);
    }
    for (const [operation, words] of refusals) if (words.size > 1) wrong.push(`${operation}: ${[...words].join(' or ')}`);
    expect(wrong).toEqual([]);
    expect(refusals.size).toBeGreaterThan(30);
    expect(matrix.cells.length).toBeGreaterThan(1000);
  });

  it('lists only what each credential may know of', async () => {
    const world = await AccessWorld.build(store);
    await using _ = world.api;
    const cases = ['key', 'app', 'other_app', 'operator', 'key_team', 'key_public', 'app_team'];
    const names = new Map<unknown, string>();
    for (const name of cases) names.set((await world.prepare(name, '$task')).$task, name);
    const seen = async (credential: string) => {
      const { body } = await world.api.call('task.list', {}, { key: null, headers: { ...world.credentials[credential] } });
      return body.data.map(({ id }) => names.get(id) ?? 'unknown').toSorted();
    };
    for (const credential of ['owner_key', 'second_key', 'app_manage_all', 'trusted_team', 'trusted_public', 'session']) {
      expect([credential, await seen(credential)]).toEqual([credential, cases.toSorted()]);
    }
    expect(await seen('app_create_task')).toEqual(['app', 'app_team']);
    expect(await seen('other_app')).toEqual(['other_app']);
    for (const credential of ['teammate_key', 'stranger_key', 'stranger_session']) expect(await seen(credential)).toEqual([]);
  });

  it('has no control operation on the public server, for any credential', async () => {
    const world = await AccessWorld.build(store);
    await using _ = world.api;
    for (const { path, method } of adminOperations) {
      for (const headers of Object.values(world.credentials)) {
        const response = await world.api.fetch(path, { method }, { key: null, headers: { ...headers } });
        expect([path, response.status]).toEqual([path, 404]);
        expect(await response.text()).toContain('Nothing exists at this URL.');
      }
    }
  });
});
