import type { TaskEvent, TokenUsage } from '../events/task-event.ts';

/** What was open before some events: the model of the newest call, and the estimate of the call if it has not ended. */
export interface OpenCall {
  model: string | null;
  /** Millionths of a credit. */
  cost: number;
}

/** The usage of one model call. An interrupted call has no tokens, because only its estimate is known. */
export interface CallUsage extends TokenUsage {
  /** Empty if the call began before models were recorded. */
  model: string;
  /** Millionths of a credit. */
  cost: number;
}

const noTokens: TokenUsage = { input: 0, output: 0, cached: 0 };

/** The model of the newest call that begins in events; undefined if none begins. */
export function findLastModel(events: readonly TaskEvent[]): string | undefined {
  const started = events.findLast((event) => 'estimatedInput' in event && 'model' in event);
  return started && 'model' in started ? started.model : undefined;
}

/** Each model call that ends with events, as the meter charges it (`meterEvents`): the costs add up to what the session is charged. */
export function listCallUsage(events: readonly TaskEvent[], before: OpenCall, isOver: boolean): CallUsage[] {
  const calls: CallUsage[] = [];
  let { model, cost: open } = before;
  const end = (usage: TokenUsage, cost: number) => {
    if (usage.input + usage.output + cost > 0) calls.push({ ...usage, model: model ?? '', cost });
    open = 0;
  };
  for (const event of events) {
    if ('estimatedInput' in event) {
      end(noTokens, open);
      model = event.model;
      open = event.estimatedCost ?? 0;
    } else if ('usage' in event) end(event.usage, event.cost ?? open);
  }
  if (isOver) end(noTokens, open);
  return calls;
}

/** The tokens of all calls that end with events. */
export function sumTokens(events: readonly TaskEvent[]): Pick<TokenUsage, 'input' | 'output'> {
  let [input, output] = [0, 0];
  for (const event of events) {
    if ('usage' in event) {
      input += event.usage.input;
      output += event.usage.output;
    }
  }
  return { input, output };
}
