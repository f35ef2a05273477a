/** The tokens of model calls. */
export interface TokenUsage {
  input: number;
  output: number;
  /** Part of `input` that the provider served from its prompt cache. */
  cached: number;
  /** Part of `input` that the provider wrote to the cache; omitted if nothing was written or the provider does not report it. */
  written?: number;
}

/** The estimate made when a model call begins; charged if its outcome is never known. */
export interface CallEstimate {
  estimatedInput: number;
  /** Millionths of a credit; absent in logs of the first version. */
  estimatedCost?: number;
}

/** The usage of a model call. */
export interface CallBill {
  usage: TokenUsage;
  /** Millionths of a credit at the price of that time; absent if only the estimate is known. */
  cost?: number;
}

/** Why a call failed. */
export interface CallFault {
  /** The kind of error; absent in logs of the first version. */
  kind?: string;
}

/** The change to another model of the profile after a failed call, if the profile has more than one. */
export interface ModelSwitch {
  switchTo?: string;
}
