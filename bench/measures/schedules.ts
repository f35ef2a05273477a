import { call } from '../service/service-calls.ts';
import { compareIdle, type IdleComparison, type Watched } from '../process/idle-watch.ts';
import { pause } from '../process/pause.ts';
import { runOnStore } from '../process/store-access.ts';
import { quantile } from '../report/statistics.ts';
import type { TestBed } from '../service/test-bed.ts';
import type { Measure } from './measure.ts';

const hourMs = 3_600_000;
/** Time from the start of the service to the first due time. */
const leadMs = 5000;
/** Time after the last due time for runs that are late. */
const lateMs = 5000;

const copied = [
  'account_id, name, status, cron, interval_seconds, run_at, time_zone, start_at, end_at, conversation, overlap, catch_up, request',
  'api_key_id, oauth_client_id, task_id, last_run_at, last_outcome, runs, recorded, version, created_at, updated_at',
].join(', ');

/** Copies the only schedule many times, an hour apart from itself and evenly spread over an hour. */
function insertion(count: number, firstAtMs: number, isEmbedded: boolean): string {
  const id = isEmbedded ? "printf('%022d', n)" : "lpad(n::text, 22, '0')";
  const numbers = isEmbedded
    ? `(WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT n FROM c)`
    : `generate_series(1, ${count}) AS c (n)`;
  const at = `${firstAtMs} + CAST(n AS BIGINT) * ${hourMs} / ${count}`;
  return `INSERT INTO schedules (${copied}, id, anchor_at, next_run_at)
    SELECT ${copied}, ${id}, ${at}, ${at} FROM schedules CROSS JOIN ${numbers}`;
}

/** What the service spends more than another one, started just now as well, that has no schedules. */
async function compareWithNone(bed: TestBed, full: Watched): Promise<IdleComparison> {
  const databaseUrl = await bed.createDatabase();
  await using service = await bed.startService({ databaseUrl });
  return await compareIdle(bed, { service, databaseUrl }, full);
}

export const schedules: Measure = {
  name: 'schedules',
  about: 'how late runs start, and what schedules cost that are not due (Linux)',
  async take(bed) {
    const { schedules: count, scheduledMs } = bed.sizes;
    const databaseUrl = await bed.createDatabase();
    await using service = await bed.startService({ databaseUrl });
    const run = (statement: string) => runOnStore(service, databaseUrl, statement);
    const body = JSON.stringify({ name: 'x', message: 'say done', interval_seconds: hourMs / 1000 });
    await call(service, { method: 'POST', path: '/v2/schedule.create', body });
    await service.kill('SIGTERM');
    await run(insertion(count, Date.now() + 24 * hourMs, databaseUrl === undefined));
    await service.restart();
    const idle = await compareWithNone(bed, { service, databaseUrl });
    await service.kill('SIGTERM');
    const firstAtMs = Date.now() + leadMs;
    const [first] = await run("SELECT MIN(next_run_at) AS at FROM schedules WHERE id < '001'");
    const byMs = Number(first?.['at']) - firstAtMs;
    await run(`UPDATE schedules SET anchor_at = anchor_at - ${byMs}, next_run_at = next_run_at - ${byMs} WHERE id < '001'`);
    await service.restart();
    const [fromMs, untilMs] = [Math.max(Date.now(), firstAtMs), Math.max(Date.now(), firstAtMs) + scheduledMs];
    await pause(untilMs + lateMs - Date.now());
    const rows = await run(`SELECT started_at, due_at FROM schedule_runs WHERE due_at >= ${fromMs} AND due_at < ${untilMs}`);
    const lags = rows.map((row) => (row['started_at'] === null ? lateMs : Number(row['started_at']) - Number(row['due_at'])));
    const note = `${rows.length} runs of ${count} schedules; p50 ${quantile(lags, 0.5).toFixed(0)} ms`;
    const cost = `${idle.loaded.toFixed(2)} % of a core with ${count}, ${idle.plain.toFixed(2)} % without`;
    return [
      { name: 'lag of scheduled runs, p99', value: quantile(lags, 0.99), unit: 'ms', note },
      { name: 'CPU of schedules that are not due', value: Math.max(0, idle.difference), unit: '%', note: cost },
    ];
  },
};
