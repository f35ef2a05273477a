/** What a credit is worth in money. */
export interface CreditPrice {
  /** Price in millionths of the currency, so that amounts are whole numbers. */
  micros: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
}

/** One US cent, because the built-in prices are one credit per cent. */
export const usualCreditPrice: CreditPrice = { micros: 10_000, currency: 'USD' };

const microsPerUnit = 1_000_000;

/** The worth of a number of credits, in the currency. */
export function amountOf(credits: number, { micros }: CreditPrice): number {
  return (credits * micros) / microsPerUnit;
}

/** The most credits that an amount pays for; 0 if it does not pay for one. */
export function creditsFor(amount: number, { micros }: CreditPrice): number {
  return Math.floor(Math.round(amount * microsPerUnit) / micros);
}
