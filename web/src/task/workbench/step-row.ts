import type { ConversationView } from '../conversation/conversation.ts';
import type { Row } from '../conversation/row.ts';
import type { Step } from '../conversation/step.ts';

export interface StepPlace {
  /** The position of its row. */
  index: number;
  /** What has to be expanded to see it. */
  keys: readonly string[];
}

function findIn(row: Row, { key, atMs, event }: Step): readonly string[] | null {
  if (event.type === 'tool_used') {
    if (row.kind !== 'work') return null;
    const call = row.calls.find((one) => one.actionId === event.tool_used.action_id && one.atMs === atMs);
    if (!call) return null;
    // A single call is its own line.
    return row.calls.length > 1 ? [row.key, call.key] : [call.key];
  }
  const asked = event.type === 'status_update' ? event.status_update.status_detail.waiting_for_event_id : undefined;
  return row.key === key || row.key === asked ? [] : null;
}

/** The position of the row with this key; null if there is none. */
export function findRow(view: ConversationView, key: string): number | null {
  for (let index = view.length - 1; index >= 0; index -= 1) if (view.rowAt(index)?.key === key) return index;
  return null;
}

/** Where the conversation shows a step; null if nowhere. */
export function findStep(view: ConversationView, step: Step): StepPlace | null {
  for (let index = view.length - 1; index >= 0; index -= 1) {
    const row = view.rowAt(index);
    const keys = row ? findIn(row, step) : null;
    if (keys) return { index, keys };
  }
  return null;
}
