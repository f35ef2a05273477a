import { expect, it } from 'vitest';
import { pause, systemClock } from '@errand/base/clock.ts';
import { beginRun } from '../support/process/crash-run.ts';
import { Deployment, type Shape } from '../support/service/deployment.ts';
import { eventually } from '../support/service/service-client.ts';
import { ServiceProcess } from '../support/service/supervisor.ts';
import { auditRuns, type Expected, type Fired, listMissing } from './schedule-audit.ts';

/** So few runs of each that a hundred never wait, however often the process that has taken the oldest is killed. */
const scheduleCount = 20;
const everyMs = 5000;

/** The processes that start runs: four on PostgreSQL, the only one on SQLite. */
async function startStarters(deployment: Deployment): Promise<readonly ServiceProcess[]> {
  if (deployment.shape === 'sqlite') return [deployment.api];
  const { dataDir, commandEnv } = deployment;
  const env = { ...commandEnv, ERRAND_RATE_LIMITS: 'off', ERRAND_LOG: 'warn' };
  const start = () => ServiceProcess.start({ dataDir, env, args: ['--role', 'worker'] });
  return [...deployment.workers, ...(await Promise.all([start(), start()]))];
}

/** New schedules, whose first time is one interval after they were made, as the API announces to the second. */
async function createSchedules(deployment: Deployment): Promise<Expected[]> {
  const schedules: Expected[] = [];
  for (let count = 0; count < scheduleCount; count += 1) {
    const times = { interval_seconds: everyMs / 1000, overlap: 'parallel', catch_up: 'all' };
    const { schedule } = await deployment.client.ask('schedule.create', { name: 'Tick', message: 'say done', ...times });
    const { id: scheduleId, next_run_at: firstAt } = schedule as { id: string; next_run_at: number };
    const [row] = await deployment.query('SELECT anchor_at FROM schedules WHERE id = ?', scheduleId);
    const firstAtMs = Number(row?.['anchor_at']) + everyMs;
    expect(Math.floor(firstAtMs / 1000)).toBe(firstAt);
    schedules.push({ scheduleId, firstAtMs, everyMs });
  }
  return schedules;
}

async function readRuns(deployment: Deployment): Promise<Fired[]> {
  const rows = await deployment.query(
    'SELECT schedule_id, due_at, outcome, reason, task_id FROM schedule_runs ORDER BY schedule_id, due_at',
  );
  return rows.map(({ schedule_id: id, due_at: at, outcome, reason, task_id: taskId }) => ({
    scheduleId: String(id),
    dueAtMs: Number(at),
    outcome: outcome === null ? null : String(outcome),
    reason: String(reason ?? ''),
    taskId: taskId === null ? null : String(taskId),
  }));
}

it.each(['sqlite', 'api and two workers'] as const)(
  'every time of a schedule has one run and one task, whatever is killed (%s)',
  { timeout: 3_600_000 },
  async (shape: Shape) => {
    const run = beginRun(`schedules, ${shape}`, { gate: 2, night: 200 });
    await using deployment = await Deployment.start(shape);
    const starters = await startStarters(deployment);
    const { client } = deployment;
    const schedules = await createSchedules(deployment);
    for (let round = 0; round < run.rounds; round += 1) {
      const before = (await readRuns(deployment)).length;
      await eventually('more runs are recorded', async () => ((await readRuns(deployment)).length > before ? true : null));
      await pause(systemClock, run.chance.integer(0, 1000));
      const victims = starters.filter(() => run.chance.happens(0.6));
      await Promise.all(victims.map((victim) => victim.kill()));
      await Promise.all(victims.map((victim) => victim.restart()));
      run.note({ round, killed: victims.length });
    }
    // A pause skips what waits, and what a killed process has taken waits until its lease has ended.
    const untilMs = Date.now();
    await eventually('every time that was due has a run with an outcome', async () => {
      const known = await readRuns(deployment);
      const isDone = known.every(({ dueAtMs, outcome }) => dueAtMs > untilMs || outcome !== null);
      return isDone && listMissing(schedules, known, untilMs).length === 0 ? true : null;
    });
    for (const { scheduleId: id } of schedules) await client.ask('schedule.update', { schedule_id: id, status: 'paused' });
    await eventually('every run has an outcome', async () =>
      (await readRuns(deployment)).every(({ outcome }) => outcome !== null) ? true : null,
    );
    const runs = await readRuns(deployment);
    run.measure({ runs: runs.length, processes: starters.length });
    expect(runs.length).toBeGreaterThanOrEqual(run.rounds);
    const tasks = await deployment.query('SELECT id FROM tasks WHERE schedule_id IS NOT NULL');
    expect(auditRuns(schedules, { runs, taskIds: tasks.map(({ id }) => String(id)), untilMs })).toEqual([]);
    await Promise.all(starters.slice(shape === 'sqlite' ? 1 : 2).map((starter) => starter.end()));
  },
);
