import { expect, it } from 'vitest';
import { describeTenants, type Tenancy } from '../support/neighbours/both-databases.ts';
import { occupiedSlots, workerSlots } from '../support/neighbours/command-attacks.ts';
import { fetchesOfOne, heldFetches, searches } from '../support/neighbours/slot-attacks.ts';
import { visit } from '../support/neighbours/visit.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { isEnd } from '../support/service/service-client.ts';

describeTenants('an account whose neighbor', { messages: 20_000 }, (tenancy) => {
  it('fetches from a server that does not answer has slots left for its own fetches', async () => {
    const { outside, measured } = tenancy.stage;
    const attack = await heldFetches.begin(tenancy.stage);
    for (let count = 0; count < 3; count += 1) {
      const events = await measured.follow(await measured.createTask(`fetch ${outside.url}/`), isEnd);
      expect(JSON.stringify(events)).toContain('at once');
      expect(outside.held).toBeGreaterThan(0);
    }
    expect(outside.mostHeld).toBe(fetchesOfOne);
    outside.release();
    await attack.end();
  });

  it('searches without end waits for none of these searches', async () => {
    const attack = await searches.begin(tenancy.stage);
    const passed: number[] = [];
    // The first search starts a thread of its own.
    await tenancy.stage.measured.ask('task.list', { query: 'absent' });
    for (let count = 0; count < 5; count += 1) {
      const before = attack.outcomes.length;
      const { data } = (await tenancy.stage.measured.ask('task.list', { query: 'absent' })) as { data: object[] };
      passed.push(attack.outcomes.length - before);
      expect(data).toEqual([]);
      if (testSandbox) await visit(tenancy.stage.measured);
    }
    await attack.end();
    // Sixteen are always waiting. First come, first served would let all of them pass, every time; a busy machine tells of one late.
    const [, , median] = passed.toSorted((a, b) => a - b);
    expect(median).toBeLessThan(8);
  });
});

const fewSlots = { env: { ERRAND_WORKER_CONCURRENCY: String(workerSlots) }, messages: 0 };
const standing = (tenancy: Tenancy) => {
  it('has its own carried out while all of them stand still', async () => {
    const attack = await occupiedSlots.begin(tenancy.stage);
    await visit(tenancy.stage.measured);
    expect(attack.outcomes).toEqual([]);
    await attack.end();
  });
};

if (testSandbox) describeTenants('an account whose neighbor has more tasks than a worker has slots', fewSlots, standing);
