import type { TaskEvent } from '@errand/client';
import type { EventOf } from './row.ts';
import type { Chapter, Step, StepEvent } from './step.ts';

/** Tools that are shown in another way: the plan, in the workbench. */
const silentTools = new Set(['update_plan']);

/** Whether a call is shown nowhere but in its effect. */
export function isSilent({ tool, status }: EventOf<'tool_used'>['tool_used']): boolean {
  return silentTools.has(tool) && status === 'success';
}

/** Numbers the steps of a run, and divides them by the phases of its plan. Adding an event has a constant cost. */
export class StepFold {
  readonly steps: Step[] = [];
  readonly chapters: Chapter[] = [];

  /** @param previousAtMs the time of the event before; null for the first */
  read(event: TaskEvent, previousAtMs: number | null): void {
    switch (event.type) {
      case 'user_message':
        return this.#add(event, 'user', null);
      case 'assistant_message':
      case 'explanation':
        return this.#add(event, 'agent', previousAtMs);
      case 'tool_used':
        // With parameters it is only asked for; the question follows.
        if (event.tool_used.params === undefined && !isSilent(event.tool_used)) this.#add(event, 'call', previousAtMs);
        return;
      case 'structured_output_result':
        return this.#add(event, 'result', previousAtMs);
      case 'error_message':
        return this.#add(event, 'error', null);
      case 'plan_update':
        return this.#turn(event.plan_update.steps.find(({ status }) => status === 'doing')?.title ?? null);
      case 'status_update':
        return this.#readStatus(event);
      default:
    }
  }

  #readStatus(event: EventOf<'status_update'>): void {
    const { agent_status: status, status_detail: detail } = event.status_update;
    if (status === 'stopped') this.#add(event, 'end', null);
    if (status !== 'waiting') return;
    // The message that asks is the question.
    if (this.steps.at(-1)?.key === detail.waiting_for_event_id) this.steps.pop();
    this.#add(event, 'question', null);
  }

  #add(event: StepEvent, kind: Step['kind'], previousAtMs: number | null): void {
    const tookMs = previousAtMs === null ? null : event.timestamp - previousAtMs;
    this.steps.push({ key: event.id, kind, isFailed: hasFailed(event), atMs: event.timestamp, tookMs, event });
  }

  /** A phase of the plan begins. */
  #turn(title: string | null): void {
    const last = this.chapters.at(-1);
    if ((last?.title ?? null) === title) return;
    if (last?.from === this.steps.length) this.chapters.pop();
    // The phase before may be the same one, if nothing happened between.
    if ((this.chapters.at(-1)?.title ?? null) === title) return;
    this.chapters.push({ title, from: this.steps.length });
  }
}

function hasFailed(event: StepEvent): boolean {
  if (event.type === 'tool_used') return event.tool_used.status !== 'success';
  if (event.type === 'structured_output_result') return !event.structured_output_result.success;
  return event.type === 'error_message';
}
