import type { EventOf } from './row.ts';

/** An event that is a step of the run, as `StepFold` numbers them. */
export type StepEvent =
  | EventOf<'user_message'>
  | EventOf<'assistant_message'>
  | EventOf<'explanation'>
  | EventOf<'tool_used'>
  | EventOf<'structured_output_result'>
  | EventOf<'error_message'>
  | EventOf<'status_update'>;

/** One step of a run: a tool call, a message, a question, or an end. */
export interface Step {
  /** The id of the event; replaying up to it shows the moment of the step. */
  key: string;
  kind: 'call' | 'user' | 'agent' | 'question' | 'result' | 'error' | 'end';
  isFailed: boolean;
  /** Unix time in milliseconds. */
  atMs: number;
  /** Milliseconds since the event before it, in which the agent thought and acted; null for what the agent did not do. */
  tookMs: number | null;
  event: StepEvent;
}

/** A phase of the plan. */
export interface Chapter {
  /** Null for steps between two phases. */
  title: string | null;
  /** The position of its first step. */
  from: number;
}
