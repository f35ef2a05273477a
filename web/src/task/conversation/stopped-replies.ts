import type { TaskEvent } from '@errand/client';
import type { StoppedRow } from './row.ts';

/** What was written of replies that somebody stopped. The log does not have it, so it lasts as long as the page. */
export class StoppedReplies {
  readonly #texts = new Map<string, string>();

  /**
   * Keeps a partial reply, if the event is somebody's stop.
   * @param previous the event before
   */
  keep(event: TaskEvent, previous: TaskEvent | undefined, draft: { text: string; isCut: boolean } | null): void {
    if (draft === null || previous?.type !== 'user_stop' || event.type !== 'status_update') return;
    if (event.status_update.agent_status !== 'stopped') return;
    this.#texts.set(event.id, draft.isCut ? `… ${draft.text.trimStart()}` : draft.text);
  }

  /** The row before the end of a turn. */
  rowsOf(eventId: string, atMs: number): readonly StoppedRow[] {
    const text = this.#texts.get(eventId);
    return text === undefined ? [] : [{ kind: 'stopped', key: `stopped:${eventId}`, atMs, text }];
  }
}
