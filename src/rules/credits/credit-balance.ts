import type { Plan } from '../accounts/access.ts';

/**
 * Kinds of credits, in the order in which they are spent: those that expire first go first. `refresh` is topped up daily and
 * `periodic` monthly, if the plan includes them; the others do not expire. Debt is in `free`.
 */
export const creditKinds = ['refresh', 'periodic', 'event', 'addon', 'free'] as const;
export type CreditKind = (typeof creditKinds)[number];
export type Credits = Readonly<Record<CreditKind, number>>;

export const noCredits: Credits = { refresh: 0, periodic: 0, event: 0, addon: 0, free: 0 };

/** The amounts that a plan tops up to: `monthly` at the first of a month, `daily` at midnight, both UTC. */
export interface PlanCredits {
  monthly: number;
  daily: number;
}

export type CreditPlans = Readonly<Record<Plan, PlanCredits>>;

export const usualCreditPlans: CreditPlans = {
  free: { monthly: 500, daily: 100 },
  pro: { monthly: 4000, daily: 300 },
  team: { monthly: 8000, daily: 0 },
};

const nothing: PlanCredits = { monthly: 0, daily: 0 };

/** Plans of a service that grants no credits. */
export const noCreditPlans: CreditPlans = { free: nothing, pro: nothing, team: nothing };

/** A change of a balance: negative for consumption. `kind` is that of granted credits. */
export interface CreditEntry {
  credits: number;
  kind: CreditKind | null;
}

export function sumCredits(credits: Credits): number {
  return creditKinds.reduce((sum, kind) => sum + credits[kind], 0);
}

/** Pays debt from available credits. */
function payDebt(credits: Credits): Credits {
  const paid = { ...credits };
  for (const kind of creditKinds) {
    if (paid.free >= 0 || kind === 'free') break;
    const part = Math.min(paid[kind], -paid.free);
    paid[kind] -= part;
    paid.free += part;
  }
  return paid;
}

/** A balance after one more entry. Its sum always grows by exactly the entry. */
export function applyEntry(credits: Credits, { credits: change, kind }: CreditEntry): Credits {
  const into = change > 0 && kind ? kind : 'free';
  if (change > 0) return payDebt({ ...credits, [into]: credits[into] + change });
  let rest = -change;
  const next = { ...credits };
  for (const each of creditKinds) {
    const part = Math.max(0, Math.min(next[each], rest));
    next[each] -= part;
    rest -= part;
  }
  return { ...next, free: next.free - rest };
}

/** Days of usage are those of UTC. */
export const dayMs = 24 * 60 * 60 * 1000;

/** Midnight UTC before a time, in milliseconds since the epoch. */
export function dayStart(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}

/** The first of the month, midnight UTC. */
export function monthStart(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** When a plan's next daily credits are granted; null if it has none. */
export function nextRefreshMs(plan: PlanCredits, nowMs: number): number | null {
  return plan.daily > 0 ? dayStart(nowMs) + dayMs : null;
}

/** The start of the latest periods whose grants an account has received; 0 for none. */
export interface GrantedPeriods {
  monthMs: number;
  dayMs: number;
}

export interface DueGrant {
  kind: 'periodic' | 'refresh';
  /** The beginning of the period. */
  fromMs: number;
  /** The amount to top up to. */
  upTo: number;
}

/**
 * The grants that are due now. They depend on the calendar alone, so that it does not matter when or how often the balance is read:
 * skipped periods are not granted later, because one grant already tops up to the limit.
 */
export function findDueGrants(plan: PlanCredits, granted: GrantedPeriods, nowMs: number): DueGrant[] {
  const [month, day] = [monthStart(nowMs), dayStart(nowMs)];
  return [
    ...(plan.monthly > 0 && month > granted.monthMs ? [{ kind: 'periodic', fromMs: month, upTo: plan.monthly } as const] : []),
    ...(plan.daily > 0 && day > granted.dayMs ? [{ kind: 'refresh', fromMs: day, upTo: plan.daily } as const] : []),
  ];
}
