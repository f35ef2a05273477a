import type { TaskEvent } from '../../rules/events/task-event.ts';
import { RowProgress } from '../../rules/rows/row-progress.ts';
import type { PlacedState, RowWork } from '../../rules/rows/row-work.ts';
import { findOverrun } from '../../rules/tasks/turn-limits.ts';
import { NoOutcome, type ToolContext } from '../../tools/toolbox/tool.ts';
import type { TaskRun } from '../agent-ports.ts';
import { awaitCall, chooseModel, planRetry } from '../model-calls.ts';
import { askAbout } from './row-call.ts';
import { beginWave, mostInWave, runWave, type Wave, type WaveOutcome } from './row-wave.ts';

/** After this many refused rows without an answer, the rows are not the cause. */
const enoughRefused = 8;
/** Time between two progress lines. */
const reportMs = 1000;

interface Mapping {
  run: TaskRun;
  callId: string;
  work: RowWork;
  progress: RowProgress;
}

/** Stores states in order; states that arrive during a write are stored together by the next one. */
function createSaver({ run, work, callId }: Pick<Mapping, 'run' | 'work' | 'callId'>) {
  let waiting: PlacedState[] = [];
  let unsavedCost = 0;
  let saving: Promise<void> = Promise.resolve();
  const save = () => {
    const [states, cost] = [waiting, unsavedCost];
    [waiting, unsavedCost] = [[], 0];
    return run.rows.save(work.job, callId, states, cost);
  };
  return {
    add(state: PlacedState, cost: number): void {
      waiting.push(state);
      unsavedCost += cost;
      if (waiting.length > 1) return;
      saving = saving.then(save);
      // Whoever settles it hears of a failure.
      saving.catch(() => undefined);
    },
    finish: () => saving,
  };
}

function createReporter({ run, progress }: Pick<Mapping, 'run' | 'progress'>, report: (text: string) => void) {
  const { clock } = run.ports;
  let nextAt = clock.monotonic() + reportMs;
  return (isForced: boolean) => {
    if (!isForced && clock.monotonic() < nextAt) return;
    nextAt = clock.monotonic() + reportMs;
    const { rows, done, failed } = progress.count();
    report(`${done} of ${rows} rows${failed > 0 ? `, ${failed} failed` : ''}\n`);
  };
}

/** Marks the remaining rows as failed for this reason, without asking about them. */
async function giveUp({ progress, run, work, callId }: Mapping, reason: string): Promise<void> {
  const states = progress.listOpen().map(({ position }): PlacedState => ({ position, state: 'failed', reason }));
  for (const state of states) progress.note(state);
  await run.rows.save(work.job, callId, states, 0);
}

/** Continues after a wave: with the next one, perhaps after a pause or with another model, or ends. */
async function endWave(mapping: Mapping, { model }: Wave, { bill, answered, refused, away }: WaveOutcome): Promise<void> {
  const { run, callId, progress } = mapping;
  const { failures, failingSince } = run.journal.state.rows;
  const finished: TaskEvent = { type: 'rows_finished', callId, ...bill };
  if (away === null) {
    const { rows, done, failed } = progress.count();
    // A key that is wrong refuses every row; a few may be refused for what they say.
    const isHopeless = answered === 0 && refused > 0 && done === failed && done >= Math.min(enoughRefused, rows);
    if (isHopeless) await giveUp(mapping, 'not asked about, because the language model refused every row before it');
    return run.journal.append([finished]);
  }
  const call = answered > 0 ? { attempt: 1, failingSince: 0 } : { attempt: failures + 1, failingSince };
  const plan = planRetry(run, model, away, call);
  if (plan === null) {
    await giveUp(mapping, `the language model cannot be reached: ${away.message}`);
    return run.journal.append([finished]);
  }
  const { waiting, ...next } = plan;
  const { attempt } = call;
  await run.journal.append([
    { type: 'rows_failed', callId, attempt, reason: away.message, kind: away.kind, ...next, ...bill },
    ...waiting,
  ]);
}

/** Asks about the next rows; false if none is left. */
async function runNext(mapping: Mapping, reportProgress: (isForced: boolean) => void): Promise<boolean> {
  const { run, callId, work, progress } = mapping;
  const { journal, ports } = run;
  const open = progress.listOpen(mostInWave);
  if (open.length === 0) return false;
  const limit = findOverrun(journal.state, ports.budget);
  if (limit !== null) {
    await giveUp(mapping, `not asked about, because the task reached its limit of ${limit}`);
    return false;
  }
  await awaitCall(run, journal.state.rows.retryAt);
  const asked = open.map((row) => askAbout(row, work));
  const wave = await beginWave(run, callId, chooseModel(run), asked);
  if (wave === null && journal.state.status !== 'running') throw new NoOutcome('the task waits or has ended');
  if (wave === null) return true;
  const saver = createSaver(mapping);
  const outcome = await runWave(run, wave, work, (state, cost) => {
    progress.note(state);
    saver.add(state, cost);
    reportProgress(false);
  });
  await saver.finish();
  await endWave(mapping, wave, outcome);
  reportProgress(true);
  return true;
}

/**
 * Asks the model about each row that has no stored result, for a tool. It works in waves: a wave is logged with its reservation before its
 * calls, each answer is stored as it arrives, and the end is logged with the cost of the calls. So after a crash, the next worker asks only
 * about rows without a stored answer.
 */
export function createMapRows(run: TaskRun, callId: string, report: (text: string) => void): NonNullable<ToolContext['mapRows']> {
  return async (work) => {
    const progress = new RowProgress(work.rows, await run.rows.open(work.job, callId));
    const mapping: Mapping = { run, callId, work, progress };
    const reportProgress = createReporter(mapping, report);
    for (let hasMore = true; hasMore; ) hasMore = await runNext(mapping, reportProgress);
    return progress.listResults();
  };
}
