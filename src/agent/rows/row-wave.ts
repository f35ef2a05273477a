import { pause } from '@errand/base/clock.ts';
import type { Model, ModelFault } from '../../models/model.ts';
import { estimateInput } from '../../models/token-estimate.ts';
import { type CallDemand, demandOf } from '../../rules/budgets/reservation.ts';
import { addUsage } from '../../rules/context/token-usage.ts';
import { costOf } from '../../rules/credits/pricing.ts';
import type { CallBill } from '../../rules/events/call-cost.ts';
import { classifyAnswer } from '../../rules/rows/row-progress.ts';
import type { PlacedState, RowWork } from '../../rules/rows/row-work.ts';
import { busyMs, stopAtLimit, warnOf } from '../paid-call.ts';
import type { TaskRun } from '../agent-ports.ts';
import { type AskedRow, callRow } from './row-call.ts';

/** Rows asked about under one start and one end in the log. */
export const mostInWave = 50;
/** Calls of one task at a time. */
const mostAtOnce = 8;
/** Tokens of one answer, with what a model thinks before it. */
const mostOutput = 8000;

const noUsage = { input: 0, output: 0, cached: 0 };

export interface Wave {
  model: Model;
  rows: readonly AskedRow[];
  /** How many tokens each answer may have. */
  outputLimit: number;
}

function demandOfRows(run: TaskRun, model: Model, rows: number, estimatedInput: number): CallDemand {
  const { inputRatio, step } = run.journal.state;
  const outputLimit = Math.min(mostOutput, model.outputLimit);
  const demand = demandOf(estimatedInput * inputRatio, { price: model.price, outputLimit, isCalibrated: step > 0 });
  return { ...demand, perOutput: demand.perOutput * rows };
}

function estimateRows(rows: readonly AskedRow[]): number {
  return rows.reduce((sum, { request }) => sum + estimateInput(request), 0);
}

/**
 * Logs the start of calls about these rows, or about the first of them if the task's budgets do not cover all. Null if they do not cover
 * one: the task then waits or has ended, unless something has arrived meanwhile.
 */
export async function beginWave(run: TaskRun, callId: string, model: Model, open: readonly AskedRow[]): Promise<Wave | null> {
  const { journal, ports } = run;
  let rows = open;
  for (;;) {
    const estimatedInput = estimateRows(rows);
    // What the calls in progress cost if nobody learns of their end; those before them are charged with their answers.
    const estimatedCost = costOf({ ...noUsage, input: estimateRows(rows.slice(0, mostAtOnce)) }, model.price);
    const estimate = { estimatedInput, estimatedCost };
    const demand = demandOfRows(run, model, rows.length, estimatedInput);
    const start = { type: 'rows_started' as const, callId, model: model.name, rows: rows.length, ...estimate };
    const begun = await journal.begin(start, demand, false);
    if (begun.outcome === 'logged') return { model, rows, outputLimit: begun.outputLimit ?? demand.mostOutput };
    if (begun.outcome === 'behind') return null;
    if (rows.length > 1) {
      const warning = begun.outcome === 'refused' ? warnOf(begun.limit) : [];
      if (warning.length > 0) await journal.append(warning);
      rows = rows.slice(0, Math.ceil(rows.length / 2));
    } else if (begun.outcome === 'refused') {
      await stopAtLimit(run, begun.limit);
      return null;
    } else await journal.attend((signal) => pause(ports.clock, busyMs, signal));
  }
}

/** The outcome of a wave. */
export interface WaveOutcome {
  bill: Required<CallBill>;
  /** Rows with an answer, whether it could be used or not. */
  answered: number;
  refused: number;
  /** The failure that shows the model to be unavailable; null if there was none. */
  away: ModelFault | null;
}

/** Asks about the rows, several at a time. Once the model seems unavailable, no further row is asked about. */
export async function runWave(
  run: TaskRun,
  { model, rows, outputLimit }: Wave,
  work: RowWork,
  note: (state: PlacedState, cost: number) => void,
): Promise<WaveOutcome> {
  const waiting = rows.values();
  const outcome: WaveOutcome = { bill: { usage: noUsage, cost: 0 }, answered: 0, refused: 0, away: null };
  let malformed: ModelFault | null = null;
  const askOn = async () => {
    for (const row of waiting) {
      const { answer, fault, bill } = await callRow(run, model, row, work, outputLimit);
      outcome.bill = { usage: addUsage(outcome.bill.usage, bill.usage), cost: outcome.bill.cost + bill.cost };
      if (fault?.kind === 'malformed') malformed = fault;
      else if (answer?.kind === 'refused') outcome.refused += 1;
      else if (answer) outcome.answered += 1;
      if (answer) note({ position: row.position, ...classifyAnswer(row, answer) }, bill.cost);
      else outcome.away = fault;
      if (outcome.away) return;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(mostAtOnce, rows.length) }, askOn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  if (outcome.answered === 0) outcome.away ??= malformed;
  return outcome;
}
