import type { TokenUsage } from '../events/task-event.ts';

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  const written = (a.written ?? 0) + (b.written ?? 0);
  const sum = { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached };
  return written === 0 ? sum : { ...sum, written };
}

/** Below this estimate, the envelope of a request counts more than its text, so it is not used for calibration. */
const leastCalibrated = 1000;
const largestRatio = 4;

interface Estimate {
  /** The estimate of the latest call. */
  openEstimate: number;
  /** Tokens counted by the provider per estimated token. */
  inputRatio: number;
}

/** The ratio of the provider's token count to ours in the latest call: languages and code differ. */
export function calibrateInput({ openEstimate, inputRatio }: Estimate, counted: number): number {
  if (openEstimate < leastCalibrated || counted === 0) return inputRatio;
  return Math.min(largestRatio, Math.max(1, counted / openEstimate));
}
