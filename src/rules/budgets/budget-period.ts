import { dayStart, monthStart } from '../credits/credit-balance.ts';
import type { BudgetPeriod } from './budget.ts';

const dayMs = 24 * 60 * 60 * 1000;
const longestMonthMs = 31 * dayMs;

/** The beginning of the UTC period that contains a time, and of the next one. A reply has neither. */
export function periodAt(period: BudgetPeriod, atMs: number): { startMs: number; endMs: number | null } {
  if (period === 'reply') return { startMs: 0, endMs: null };
  if (period === 'day') return { startMs: dayStart(atMs), endMs: dayStart(atMs) + dayMs };
  const startMs = monthStart(atMs);
  return { startMs, endMs: monthStart(startMs + longestMonthMs) };
}

interface Counted {
  period: BudgetPeriod;
  used: number;
  isWarned: boolean;
  periodAtMs: number;
}

/** A budget as of now: in a new period, nothing is used yet. If a clock was set back, no earlier period begins again. */
export function readCurrent<Budget extends Counted>(budget: Budget, nowMs: number): Budget {
  const { startMs } = periodAt(budget.period, nowMs);
  return startMs > budget.periodAtMs ? { ...budget, used: 0, isWarned: false, periodAtMs: startMs } : budget;
}
