/** A run as its row tells. Times are in Unix milliseconds. */
export interface Fired {
  scheduleId: string;
  dueAtMs: number;
  outcome: string | null;
  reason: string;
  taskId: string | null;
}

/** A schedule with an interval, and its first time as it was announced when it was made. */
export interface Expected {
  scheduleId: string;
  firstAtMs: number;
  everyMs: number;
}

/** Every time of a schedule up to `untilMs`. */
function listTimes({ firstAtMs, everyMs }: Expected, untilMs: number): number[] {
  const count = Math.max(0, Math.floor((untilMs - firstAtMs) / everyMs) + 1);
  return Array.from({ length: count }, (_, index) => firstAtMs + index * everyMs);
}

/** The times up to `untilMs` for which there is no run. */
export function listMissing(schedules: readonly Expected[], runs: readonly Fired[], untilMs: number): string[] {
  const recorded = new Set(runs.map(({ scheduleId, dueAtMs }) => `${scheduleId} ${dueAtMs}`));
  return schedules.flatMap((schedule) =>
    listTimes(schedule, untilMs)
      .map((atMs) => `${schedule.scheduleId} ${atMs}`)
      .filter((time) => !recorded.has(time)),
  );
}

/** Runs at no time of their schedule, and recorded twice. */
function findStrays(schedules: readonly Expected[], runs: readonly Fired[]): string[] {
  const known = new Map(schedules.map((schedule) => [schedule.scheduleId, schedule]));
  const seen = new Set<string>();
  return runs.flatMap(({ scheduleId, dueAtMs }) => {
    const time = `${scheduleId} ${dueAtMs}`;
    const schedule = known.get(scheduleId);
    const sinceMs = schedule ? dueAtMs - schedule.firstAtMs : -1;
    const isOnTime = schedule !== undefined && sinceMs >= 0 && sinceMs % schedule.everyMs === 0;
    const problems = [...(isOnTime ? [] : [`${time}: not its time`]), ...(seen.has(time) ? [`${time}: twice`] : [])];
    seen.add(time);
    return problems;
  });
}

/**
 * What is wrong with the runs of schedules: times up to `untilMs` without a run or whose run started no task, runs at other times,
 * and tasks (`taskIds`: all that schedules started) without a run of their own.
 */
export function auditRuns(
  schedules: readonly Expected[],
  { runs, taskIds, untilMs }: { runs: readonly Fired[]; taskIds: readonly string[]; untilMs: number },
): string[] {
  const problems = listMissing(schedules, runs, untilMs).map((time) => `${time}: no run`);
  problems.push(...findStrays(schedules, runs));
  for (const { scheduleId, dueAtMs, outcome, reason, taskId } of runs)
    if (dueAtMs <= untilMs && (outcome !== 'started' || taskId === null))
      problems.push(`${scheduleId} ${dueAtMs}: ${outcome} ${reason}`);
  const startedRuns = runs.filter(({ taskId }) => taskId !== null);
  const started = new Set(startedRuns.map(({ taskId }) => taskId));
  if (started.size !== startedRuns.length) problems.push(`${startedRuns.length} runs have ${started.size} tasks`);
  const strangers = taskIds.filter((id) => !started.has(id));
  if (strangers.length > 0 || taskIds.length !== started.size)
    problems.push(`${taskIds.length} tasks for ${started.size}, ${strangers.length} of no run`);
  return problems;
}
