import { expect, it } from 'vitest';
import { setRunningLimit } from '../../src/store/limits/running-limits.ts';
import type { ClaimedTask } from '../../src/store/tasks/claims/task-claims.ts';
import { renewLeases } from '../../src/store/tasks/task-leases.ts';
import { expireLeasesOf } from '../../src/store/tasks/workers/ended-workers.ts';
import { openStore } from '../support/db/databases.ts';
import type { RemoteStore } from '../support/db/remote-store.ts';
import { append, claim, createTasks, nextMs, stopped } from '../support/db/store-samples.ts';
import { addAccount } from '../support/oauth/oauth-samples.ts';
import { beginRun } from '../support/process/crash-run.ts';

const most = 5;
const tasksPerRound = 40;

/** A process that takes tasks until none are left or it is killed. */
interface Taker {
  workerId: string;
  store: RemoteStore;
}

it('a limit is never exceeded by four processes, also when some are killed while they claim, or only declared dead', {
  timeout: 900_000,
}, async () => {
  const run = beginRun('limits of running tasks, four processes', { gate: 3, night: 200 });
  const store = await openStore('postgres');
  const accountId = await addAccount(store.database);
  const limit = { accountId, scope: 'account' as const, scopeId: accountId, tasks: most, actor: 'test' };
  await store.database.run(setRunningLimit, { ...limit, now: nextMs() });
  const count = async (condition: string) => {
    const text = `SELECT COUNT(*) AS count FROM tasks WHERE account_id = ? AND ${condition}`;
    return Number((await store.query(text, accountId))[0]?.['count']);
  };
  let highest = 0;
  let looks = 0;
  const look = async () => {
    const running = await count(`lease_owner IS NOT NULL AND wake_at > errand_now()`);
    highest = Math.max(highest, running);
    looks += 1;
  };
  const isLeft = async () => (await count("status = 'running'")) > 0;
  const stopAll = async (taker: Taker, tasks: readonly ClaimedTask[]) => {
    for (const task of tasks) await append(task, [stopped], taker.store);
  };
  const renew = ({ store: process, workerId }: Taker, leases: readonly ClaimedTask[]) =>
    process.run(renewLeases, { workerId, ttlMs: 60_000, leases });
  const take = async (taker: Taker) => {
    while (await isLeft()) {
      const tasks = await claim(taker.store, { workerId: taker.workerId, slots: 1 + run.chance.integer(0, 7) });
      await look();
      await renew(taker, tasks);
      await look();
      await stopAll(taker, tasks);
    }
  };
  let started = 0;
  const start = async (): Promise<Taker> => {
    const [process] = await store.startProcesses(1);
    if (!process) throw new Error('no process');
    started += 1;
    return { workerId: `session-${started}`, store: process };
  };
  let takers: Taker[] = await Promise.all([start(), start(), start(), start()]);
  for (let round = 0; round < run.rounds; round += 1) {
    await createTasks(store.database, accountId, tasksPerRound);
    const victims = takers.filter(() => run.chance.happens(0.5));
    // Declared dead while they live: they go on, and try to keep what they had.
    const cutOff = takers.filter((taker) => !victims.includes(taker) && run.chance.happens(0.5));
    const work = takers.map((taker) =>
      take(taker).catch((error: unknown) => {
        if (!victims.includes(taker)) throw error;
      }),
    );
    for (let left = run.chance.integer(1, 8); left > 0; left -= 1) await look();
    const held = `lease_owner IN (${victims.map(({ workerId }) => `'${workerId}'`).join() || "''"}) AND wake_at > errand_now()`;
    await Promise.all(victims.map((victim) => victim.store.kill()));
    run.note({ round, killed: victims.length, cutOff: cutOff.length, heldByThem: await count(held) });
    // What the dead held counts until their end is known.
    await look();
    await store.database.run(
      expireLeasesOf,
      [...victims, ...cutOff].map(({ workerId }) => workerId),
    );
    const survivors = takers.filter((taker) => !victims.includes(taker));
    const replaced = await Promise.all(victims.map(() => start()));
    await Promise.all([...work, ...replaced.map(take)]);
    takers = [...survivors, ...replaced];
    expect(await count("status = 'running'")).toBe(0);
  }
  run.measure({ highest, looks, killed: started - takers.length, tasks: run.rounds * tasksPerRound });
  expect(highest).toBe(most);
  await Promise.all(takers.map((taker) => taker.store.kill()));
  await store.close();
});
