import { z } from 'zod';
import type { ModelPrice } from '../rules/credits/pricing.ts';
import { WrongValue } from './setting.ts';

export type ModelPrices = Readonly<Partial<Record<string, ModelPrice>>>;

const profileNames = ['service-1.6', 'service-1.6-lite', 'service-1.6-max'] as const;
const price = z.number().min(0).max(1_000_000_000);
const priced = z.enum(profileNames).or(z.string().regex(/^[a-z]+\/[\x21-\x7e]{1,200}$/));
const shape = z.record(
  priced,
  z.strictObject({ input: price, output: price, cached: price.optional(), written: price.optional() }),
);

/** A JSON object that maps profiles or models to credits per million tokens. */
export function readPrices(text: string): ModelPrices {
  try {
    return Object.freeze(shape.parse(JSON.parse(text)) as ModelPrices);
  } catch {
    throw new WrongValue(`must be a JSON object that gives ${profileNames.join(', ')} or models numbers for input and output`);
  }
}
