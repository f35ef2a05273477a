import { expect, it } from 'vitest';
import { legacyOperations } from '../../src/legacy/index.ts';
import { describeStores } from '../support/db/databases.ts';
import { type Cell, fillInput, nameOf, readMatrix } from './matrix.ts';
import { AccessWorld } from './access-world.ts';

const matrix = readMatrix('legacy.yaml');
/** gRPC codes as v1 reports them. */
const codes: Record<number, number> = { 400: 3, 401: 16, 403: 7, 404: 5, 412: 9 };

/** The credentials of the second version, as v1 has them. */
function headersOf({ credentials }: AccessWorld, credential: string): Record<string, string> {
  const [owner = {}, token = {}] = [credentials.owner_key, credentials.app_create_task];
  if (credential === 'current_header') return owner;
  if (credential === 'token_alone') return token;
  if (credential === 'bearer_key') return { authorization: `Bearer ${String(owner['x-service-api-key'])}` };
  const isPair = credential === 'key_and_token';
  const key = credentials[isPair ? 'owner_key' : credential]?.['x-service-api-key'];
  return { ...(key !== undefined && { API_KEY: key }), ...(isPair && token) };
}

async function call(world: AccessWorld, { operation, credential, input }: Cell, ids: Record<string, string>) {
  const [method = '', path = ''] = nameOf(operation).split(' ');
  const filled = fillInput(input, ids) as Record<string, string>;
  const address = path.replace(/:(\w+)/, (_, name: string) => filled[name] ?? '');
  const hasBody = method === 'POST' || method === 'PUT';
  const body = hasBody ? { body: JSON.stringify(filled), headers: { 'content-type': 'application/json' } } : {};
  const response = await world.api.fetch(address, { method, ...body }, { key: null, headers: headersOf(world, credential) });
  return { status: response.status, text: await response.text() };
}

it('the table of v1 has a row for each of its operations and for no other', () => {
  const rows = new Set(matrix.operations.map(nameOf));
  expect([...rows].toSorted()).toEqual(legacyOperations.map(({ name }) => name).toSorted());
});

describeStores('the access table of v1', (store) => {
  it(`holds in all of its ${matrix.cells.length} cells, and no refusal reveals anything`, async () => {
    const world = await AccessWorld.build(store);
    await using _ = world.api;
    const wrong: string[] = [];
    for (const cell of matrix.cells) {
      const wanted = Object.values(cell.input).find((value) => typeof value === 'string' && value.startsWith('$')) as string;
      const ids = await world.prepare(cell.case, wanted, 'v1');
      const { status, text } = await call(world, cell, ids);
      const at = `${cell.operation} with ${cell.credential} for ${cell.case}`;
      if (status !== cell.status) wrong.push(`${at}: ${status} instead of ${cell.status}: ${text.slice(0, 200)}`);
      if (cell.operation.includes('webhook')) await store.query('DELETE FROM webhooks');
      if (status < 400) continue;
      if ((JSON.parse(text) as { code: number }).code !== codes[status]) wrong.push(`${at}: ${text}`);
      for (const secret of world.secrets()) if (text.includes(secret)) wrong.push(`${at}: reveals ${secret}`);
    }
    expect(wrong).toEqual([]);
    expect(matrix.cells.length).toBeGreaterThan(500);
  });
});
