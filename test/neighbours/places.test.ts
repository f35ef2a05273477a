import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { occupiedSlots, workerSlots } from '../support/neighbours/command-attacks.ts';
import { fetchesOfOne, heldFetches, searches } from '../support/neighbours/place-attacks.ts';
import { Stage, stageSettings } from '../support/neighbours/stage.ts';
import { visit } from '../support/neighbours/visit.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';
import { isEnd } from '../support/service/service-client.ts';
import { LocalService } from '../support/service/local-service.ts';

describe('an account whose neighbor', () => {
  let service: LocalService;
  let stage: Stage;

  beforeAll(async () => {
    service = await LocalService.start({ env: stageSettings });
    stage = await Stage.open(service, { strength: 2, messages: 20_000 });
  });

  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    await service.end();
  });

  it('fetches from a server that does not answer has places left for its own fetches', async () => {
    const { outside, measured } = stage;
    const attack = await heldFetches.begin(stage);
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
    const attack = await searches.begin(stage);
    const passed: number[] = [];
    // The first search starts a thread of its own.
    await stage.measured.ask('task.list', { query: 'absent' });
    for (let count = 0; count < 5; count += 1) {
      const before = attack.outcomes.length;
      const { data } = (await stage.measured.ask('task.list', { query: 'absent' })) as { data: object[] };
      passed.push(attack.outcomes.length - before);
      expect(data).toEqual([]);
      if (testSandbox) await visit(stage.measured);
    }
    await attack.end();
    // Sixteen are always waiting. First come, first served would let all of them pass, every time; a busy machine tells of one late.
    const [, , median] = passed.toSorted((a, b) => a - b);
    expect(median).toBeLessThan(8);
  });
});

describe.runIf(testSandbox)('an account whose neighbor has more tasks than a worker has slots', () => {
  it('has its own carried out while all of them stand still', async () => {
    const env = { ...stageSettings, ERRAND_WORKER_CONCURRENCY: String(workerSlots) };
    await using service = await LocalService.start({ env });
    await using stage = await Stage.open(service, { strength: 2, messages: 0 });
    const attack = await occupiedSlots.begin(stage);
    await visit(stage.measured);
    expect(attack.outcomes).toEqual([]);
    await attack.end();
  });
});
