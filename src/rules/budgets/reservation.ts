import { costPerCredit, creditsOf, type ModelPrice } from '../credits/pricing.ts';

/** What a model call may cost; costs in millionths of a credit. */
export interface CallDemand {
  /** Cost of the longest possible prompt, in millionths of a credit. */
  input: number;
  /** Cost of one token of the reply, in millionths of a credit. */
  perOutput: number;
  mostOutput: number;
}

/** The shortest reply that is worth its prompt, in tokens. */
const leastOutput = 500;

/** Tokens are estimated from characters, generously before a first reply has shown how the model counts. */
const marginBefore = 2;
const marginAfter = 1.25;

/** The demand of a call whose prompt has about this many tokens. */
export function demandOf(
  estimatedInput: number,
  { price, outputLimit, isCalibrated }: { price: ModelPrice | null; outputLimit: number; isCalibrated: boolean },
): CallDemand {
  if (price === null) return { input: 0, perOutput: 0, mostOutput: outputLimit };
  const mostInput = Math.ceil(estimatedInput * (isCalibrated ? marginAfter : marginBefore));
  const perInput = Math.max(price.input, price.written ?? 0);
  return { input: Math.ceil(mostInput * perInput), perOutput: price.output, mostOutput: outputLimit };
}

/**
 * The longest reply that fits into what a session may still cost; null if that is too short to be useful. `most`: what the session may
 * cost altogether, in credits; `spent`: what it has cost, in millionths.
 */
export function fitOutput(most: number, spent: number, { input, perOutput, mostOutput }: CallDemand): number | null {
  const left = most * costPerCredit - spent - input;
  if (most < 1 || left < 0) return null;
  if (perOutput === 0) return mostOutput;
  const output = Math.min(mostOutput, Math.floor(left / perOutput));
  return output >= Math.min(leastOutput, mostOutput) ? output : null;
}

/** What a session costs if this call costs the most it can, in credits. */
export function worstOf(spent: number, { input, perOutput }: CallDemand, output: number): number {
  return creditsOf(spent + input + Math.ceil(perOutput * output));
}
