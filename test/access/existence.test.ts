import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { countRounds } from '../support/process/crash-run.ts';
import { AccessWorld } from './access-world.ts';

const rounds = countRounds({ gate: 250, night: 1000, least: 250 });

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

describeStores('what a caller may not know of', (store) => {
  it.each(['stranger_key', 'teammate_key', 'app_create_task'])(
    `is answered to %s in the words and the time of what does not exist, ${rounds} times`,
    async (credential) => {
      const world = await AccessWorld.build(store);
      await using _ = world.api;
      const headers = { ...world.credentials[credential] };
      const [foreign, missing] = [await world.prepare('key', '$task'), await world.prepare('missing', '$task')];
      const bodies = new Set<string>();
      const times: { foreign: number[]; missing: number[] } = { foreign: [], missing: [] };
      const ask = async (kind: 'foreign' | 'missing', name: string) => {
        const ids = kind === 'foreign' ? foreign : missing;
        const before = performance.now();
        const { status, body } = await world.api.call(name, { task_id: ids.$task }, { key: null, headers });
        times[kind].push(performance.now() - before);
        bodies.add(`${status} ${JSON.stringify({ ...body, request_id: '' })}`);
      };
      for (let round = 0; round < rounds; round++) {
        const name = round % 2 === 0 ? 'task.detail' : 'task.stop';
        // Taking turns in both orders: what else the machine does falls on both alike.
        for (const kind of round % 4 < 2 ? (['foreign', 'missing'] as const) : (['missing', 'foreign'] as const))
          await ask(kind, name);
      }
      expect([...bodies]).toEqual(['404 {"ok":false,"request_id":"","error":{"code":"not_found","message":"task not found"}}']);
      expect(Math.abs(median(times.foreign) - median(times.missing))).toBeLessThan(Math.max(1, median(times.missing) / 4));
    },
  );
});
