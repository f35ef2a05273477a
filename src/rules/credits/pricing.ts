import type { TaskEvent, TokenUsage } from '../events/task-event.ts';

/** Credits for a million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  /** Of input tokens that the provider had in its cache; like other input where it is left out. */
  cached?: number;
  /** Of input tokens that it put there; like other input where it is left out. */
  written?: number;
}

/** Costs are counted in millionths of a credit, so that a token has a whole number; they are rounded up once, per session. */
export const costPerCredit = 1_000_000;

/** The cost of a model call in millionths of a credit; 0 if the price is unknown. */
export function costOf({ input, output, cached, written = 0 }: TokenUsage, price: ModelPrice | null): number {
  if (price === null) return 0;
  const fromCache = Math.min(cached, input);
  const intoCache = Math.min(written, input - fromCache);
  const plain = (input - fromCache - intoCache) * price.input;
  const kept = fromCache * (price.cached ?? price.input) + intoCache * (price.written ?? price.input);
  return Math.ceil(plain + kept + output * price.output);
}

/** What a session costs in credits (docs/reference/choices.md#credits): rounded up, at least one. */
export function creditsOf(cost: number): number {
  return Math.max(1, Math.ceil(cost / costPerCredit));
}

/** What events do to the meter of a session. */
export interface MeterChange {
  /** Whether the call that was open before them is charged as it was estimated, because nothing more was heard of it. */
  chargesOpen: boolean;
  /** Millionths of a credit, besides. */
  cost: number;
  /** The estimate of the call that is open behind them; null where they say nothing of calls, so that it is the one from before. */
  open: number | null;
}

/**
 * Reads the meter. A call is charged once: its beginning opens it at an estimate, its end replaces the estimate by what it has
 * used. A call without an end (its worker died, its task was stopped) is charged as estimated, and so is one whose end does not
 * tell what it used.
 */
export function meterEvents(events: readonly TaskEvent[]): MeterChange {
  const change: MeterChange = { chargesOpen: false, cost: 0, open: null };
  const chargeOpen = () => {
    if (change.open === null) change.chargesOpen = true;
    else change.cost += change.open;
  };
  for (const event of events) {
    switch (event.type) {
      case 'model_started':
      case 'extract_started':
      case 'compact_started':
        chargeOpen();
        change.open = event.estimatedCost ?? 0;
        break;
      case 'model_finished':
      case 'model_failed':
      case 'extract_failed':
      case 'extract_finished':
      case 'compact_failed':
      case 'compacted':
        if (event.cost === undefined) chargeOpen();
        else change.cost += event.cost;
        change.open = 0;
        break;
      default:
    }
  }
  return change;
}
