/** The tokens of model calls. */
export interface TokenUsage {
  input: number;
  output: number;
  /** Part of `input` that the provider served from its prompt cache. */
  cached: number;
  /** Another part of it, which the provider put there; left out where it puts nothing there or does not say. */
  written?: number;
}

/** The estimate for a model call when it begins; charged if its outcome stays unknown. */
export interface CallEstimate {
  estimatedInput: number;
  /** Millionths of a credit; absent in logs of the first version. */
  estimatedCost?: number;
}

/** The usage of a model call. */
export interface CallBill {
  usage: TokenUsage;
  /** Millionths of a credit at the price of that time; absent where only the estimate is known. */
  cost?: number;
}
