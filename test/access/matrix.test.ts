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

function findOperation({ operation }: Cell) {
  const row = [...operations, ...webOperations].find(({ name }) => name === nameOf(operation));
  if (!row) throw new Error(`there is no operation ${operation}`);
  return row;
}

async function call(world: AccessWorld, cell: Cell, ids: Record<string, string>) {
  const { credential, input } = cell;
  const row = findOperation(cell);
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

/** What each cell is about: made anew once a call may have changed it, which a refusal and a read never do. */
class Subjects {
  readonly #world: AccessWorld;
  #last: { made: string; ids: Record<string, string> } | null = null;

  constructor(world: AccessWorld) {
    this.#world = world;
  }

  async prepare({ case: name, input }: Cell): Promise<Record<string, string>> {
    const wanted = Object.values(input).find((value) => typeof value === 'string' && value.startsWith('$')) as string;
    const made = `${name} ${wanted}`;
    if (this.#last?.made !== made) this.#last = { made, ids: await this.#world.prepare(name, wanted) };
    return this.#last.ids;
  }

  /** Takes note of how the last cell was answered. */
  settle(cell: Cell, status: number): void {
    if (status < 400 && findOperation(cell).method !== 'GET') this.#last = null;
  }
}

/** Cells of one operation and one case after one another, so that they can be about the same thing. */
function byCase(cells: readonly Cell[]): Cell[] {
  return [...Map.groupBy(cells, ({ operation, case: name }) => `${operation} for ${name}`).values()].flat();
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
    const subjects = new Subjects(world);
    for (const cell of byCase(matrix.cells)) {
      const ids = await subjects.prepare(cell);
      const { status, text } = await call(world, cell, ids);
      subjects.settle(cell, status);
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
