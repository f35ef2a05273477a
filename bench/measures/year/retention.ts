import { quantile } from '../../report/statistics.ts';
import { runOnStore } from '../../process/store-access.ts';
import { call, createTask } from '../../service/service-calls.ts';
import type { Taken } from '../measure.ts';
import { startSettled, type YearStore } from './year-store.ts';

const daysOfYear = 365;
const ended = 'tasks whose retention had ended were deleted';

/** Creates a task and reads an old one, until told to stop; the milliseconds of each request. */
async function visitUntil({ service, ids }: YearStore, isDone: (visits: number) => boolean): Promise<number[]> {
  const taskId = ids.at(-1) ?? '';
  const times: number[] = [];
  const take = async (work: () => Promise<unknown>) => {
    const beganAt = performance.now();
    await work();
    times.push(performance.now() - beganAt);
  };
  for (let visits = 0; !isDone(visits); visits += 1) {
    await take(() => createTask(service, 'say done'));
    await take(() => call(service, { method: 'GET', path: `/v2/task.detail?task_id=${taskId}` }));
  }
  return times;
}

/** The tasks that expire first, deleted while an account works: how many in a second, and how much longer its requests take. */
export async function takeRetention(year: YearStore, expired: number, settleMs: number): Promise<Taken[]> {
  const { service, databaseUrl, ids } = year;
  await service.kill('SIGTERM');
  await startSettled(year, settleMs);
  const days = Math.floor(daysOfYear * (1 - expired / ids.length));
  await service.kill('SIGTERM');
  // Otherwise the next turn is in an hour.
  await runOnStore(service, databaseUrl, "DELETE FROM instance WHERE name = 'retention_turn_ends_at'");
  await service.restart({ ERRAND_LOG: 'info', ERRAND_RETENTION_DAYS: String(days) });
  const beganAt = performance.now();
  let elapsedMs: number | null = null;
  const run = service
    .waitForLog(({ msg }) => msg === ended)
    .then((entry) => {
      elapsedMs = performance.now() - beganAt;
      return Number(entry['deleted']);
    });
  const during = await visitUntil(year, () => elapsedMs !== null);
  const deleted = await run;
  const visits = during.length / 2;
  const after = await visitUntil(year, (done) => done >= visits);
  const [p99, usual] = [quantile(during, 0.99), quantile(after, 0.99)];
  const perSecond = (deleted / (elapsedMs ?? Number.NaN)) * 1000;
  return [
    { name: 'a year: tasks deleted by retention', value: perSecond, unit: '/s', note: `${deleted} tasks` },
    {
      name: 'a year: requests beside retention, p99',
      value: p99 / usual,
      unit: '×',
      note: `${p99.toFixed(1)} ms, and ${usual.toFixed(1)} ms afterwards; ${during.length} requests`,
    },
  ];
}
