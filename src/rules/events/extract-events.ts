import type { CallBill, CallEstimate, CallFault, ModelSwitch } from './call-cost.ts';

/** What happens while a finished conversation becomes the caller's structured output. */
export type ExtractEvent =
  | ({ type: 'extract_started'; attempt: number; model: string } & CallEstimate)
  | ({ type: 'extract_failed'; attempt: number; reason: string; isMisfit: boolean; retryAt: number } & CallFault &
      ModelSwitch &
      CallBill)
  /** A value of the required structure that lacks these facts: the agent may look for them once. */
  | ({ type: 'extract_incomplete'; missing: readonly string[]; value: unknown } & CallBill)
  | ({ type: 'extract_finished'; success: boolean; value: unknown; error: string | null } & CallBill)
  | { type: 'extract_delivered'; success: boolean; value: unknown; error: string | null };
