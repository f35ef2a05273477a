import { isOwnModel } from '../instance/own-model.ts';
import type { TaskEvent, TaskEventType, TokenUsage } from '../events/task-event.ts';

/** Credits per million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  /** Price of input tokens read from the provider's cache; the input price if omitted. */
  cached?: number;
  /** Price of input tokens written to the provider's cache; the input price if omitted. */
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

/** Whether a session cost nothing because the account paid the provider itself. */
export function isPaidByOwnKey(cost: number, lastModel: string | null): boolean {
  return cost === 0 && isOwnModel(lastModel);
}

/** The types of events that have a cost or an estimate. */
type MeteredType = {
  [Type in TaskEventType]: keyof Extract<TaskEvent, { type: Type }> & ('cost' | 'estimatedCost') extends never ? never : Type;
}[TaskEventType];

/** The effect of events on the meter of a session. */
export interface MeterChange {
  /** Whether the call that was open before them is charged as estimated, because it has no outcome. */
  chargesOpen: boolean;
  /** Additional cost in millionths of a credit. */
  cost: number;
  /** The estimate of the call that is open after them; null if they contain no calls, so that it is unchanged. */
  open: number | null;
}

/**
 * Reads the meter. A call is charged once: its start opens it at an estimate, which its end replaces with its usage. A call without
 * an end (its worker died, its task was stopped) is charged as estimated, and so is one whose end does not report usage.
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
      case 'rows_started':
      case 'picture_started':
        chargeOpen();
        change.open = event.estimatedCost ?? 0;
        break;
      case 'model_finished':
      case 'model_failed':
      case 'extract_failed':
      case 'extract_incomplete':
      case 'extract_finished':
      case 'compact_failed':
      case 'compact_part':
      case 'compacted':
      case 'rows_failed':
      case 'rows_finished':
      case 'picture_failed':
      case 'picture_finished':
        if (event.cost === undefined) chargeOpen();
        else change.cost += event.cost;
        change.open = 0;
        break;
      default:
        // An event with a cost or an estimate that is not handled above does not compile.
        event.type satisfies Exclude<TaskEventType, MeteredType>;
    }
  }
  return change;
}
