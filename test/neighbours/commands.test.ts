import { expect, it } from 'vitest';
import { describeTenants, type Tenancy } from '../support/neighbours/both-databases.ts';
import { busyLoops, fullDisks, manyFiles, manySockets, memoryBombs } from '../support/neighbours/command-attacks.ts';
import { visit } from '../support/neighbours/visit.ts';
import { testSandbox } from '../support/sandbox/sandbox-under-test.ts';

/** Small, so that a command reaches them at once. */
const env = { ERRAND_TASK_STORAGE_MB: '40', ERRAND_TASK_FILES: '4000' };

const suite = (tenancy: Tenancy) => {
  it('runs busy loops creates, reads, and runs commands while all of them go on', async () => {
    const attack = await busyLoops.begin(tenancy.stage);
    for (let count = 0; count < 5; count += 1) await visit(tenancy.stage.measured);
    const statuses = [...(await tenancy.stage.hostile.listStatuses()).values()];
    await attack.end();
    expect(statuses.filter((status) => status === 'running')).toHaveLength(2);
  });

  const bounded = [
    { attack: memoryBombs, does: 'takes memory', reason: 'ended because it took more than 1024 MB of memory' },
    { attack: manySockets, does: 'opens sockets', reason: 'ended because it took more than 1024 MB of memory' },
    { attack: fullDisks, does: 'fills its disk', reason: 'would hold more than 40 MB or 4000 files' },
    { attack: manyFiles, does: 'creates files', reason: 'would hold more than 40 MB or 4000 files' },
  ];

  it.each(bounded)('$does works on without an error, and only the neighbor is ended', async ({ attack, reason }) => {
    const underWay = await attack.begin(tenancy.stage);
    for (let count = 0; count < 3; count += 1) {
      await visit(tenancy.stage.measured);
      await underWay.waitForOutcomes(count + 1);
    }
    await underWay.end();
    expect(underWay.outcomes.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => expect.stringContaining(reason) as string));
  });
};

if (testSandbox) describeTenants('an account whose neighbor', { env, messages: 0 }, suite);
