import { z } from 'zod';
import { defaultRates, type RateClass, rateClasses } from '../rules/instance/rate-window.ts';
import { WrongValue } from './setting.ts';

/** Requests per minute for each class that is set; the others keep their defaults. */
export type RateLimits = 'on' | 'off' | Readonly<Partial<Record<RateClass, number>>>;

const shape = z.strictObject(Object.fromEntries(rateClasses.map((name) => [name, z.int().min(1).max(1_000_000_000).optional()])));

export function readRateLimits(text: string): RateLimits {
  if (text === 'on' || text === 'off') return text;
  try {
    return Object.freeze(shape.parse(JSON.parse(text)));
  } catch {
    throw new WrongValue(`must be on, off or a JSON object that gives ${rateClasses.join(', ')} a number of requests a minute`);
  }
}

/** Requests per minute for each class, null for no limits. */
export function ratesOf(limits: RateLimits): Readonly<Record<RateClass, number>> | null {
  if (limits === 'off') return null;
  return { ...defaultRates, ...(limits === 'on' ? {} : limits) };
}
