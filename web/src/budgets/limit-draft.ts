export type LimitUnit = 'credits' | 'money';

/** A limit as entered; an empty amount is none. */
export interface LimitDraft {
  amount: string;
  unit: LimitUnit;
}

/** The limit of a budget that exists. */
export function draftOf(credits: number | undefined): LimitDraft {
  return { amount: credits === undefined ? '' : String(credits), unit: 'credits' };
}

/** The limit as the API takes it. */
export function toLimit({ amount, unit }: LimitDraft): { credits: number } | { money: { amount: number } } {
  return unit === 'money' ? { money: { amount: Number(amount) } } : { credits: Number(amount) };
}
