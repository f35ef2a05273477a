import { Fault } from '../base/fault.ts';
import type {
  CallPart,
  LoggedEvent,
  ModelPart,
  OutputSchema,
  PlanStep,
  TaskEvent,
  TaskStatus,
  TokenUsage,
} from './task-event.ts';
import { nextStatus } from './task-status.ts';

export interface ToolResult {
  callId: string;
  tool: string;
  output: string;
  isError: boolean;
}

/** The conversation as a model reads it. */
export type TranscriptEntry =
  | { role: 'user'; text: string }
  | { role: 'assistant'; parts: readonly ModelPart[] }
  | { role: 'tool'; results: readonly ToolResult[] };

export interface PendingCall extends CallPart {
  /** How often it has been started without an end being logged. */
  starts: number;
}

export interface Extraction {
  starts: number;
  outcome: { success: boolean; value: unknown; error: string | null } | null;
}

/** What a task's log means so far. A value: `fold` makes a new one and never changes the old. */
export interface TaskState {
  status: TaskStatus;
  /** The last event folded, 0 for none. */
  seq: number;
  lastAtMs: number;
  /** Model steps finished so far. */
  step: number;
  /** Failed calls of the step under way, and the earliest time of the next. */
  failures: number;
  retryAt: number;
  /** When the first of these failures was logged, 0 for none. */
  failingSince: number;
  modelOpen: boolean;
  transcript: readonly TranscriptEntry[];
  /** Messages that came in mid-step; heard before the next one. */
  unheard: readonly string[];
  /** Calls of the last step that have no result yet, and the results that are in. */
  pending: readonly PendingCall[];
  results: readonly ToolResult[];
  plan: readonly PlanStep[];
  outputSchema: OutputSchema | null;
  extraction: Extraction;
  usage: TokenUsage;
}

const noExtraction: Extraction = { starts: 0, outcome: null };

export const emptyState: TaskState = {
  status: 'running',
  seq: 0,
  lastAtMs: 0,
  step: 0,
  failures: 0,
  retryAt: 0,
  failingSince: 0,
  modelOpen: false,
  transcript: [],
  unheard: [],
  pending: [],
  results: [],
  plan: [],
  outputSchema: null,
  extraction: noExtraction,
  usage: { input: 0, output: 0, cached: 0 },
};

/** The tool whose calls nobody runs: the task waits for its user instead. */
export const askTool = 'ask_user';

function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached };
}

function midStep(state: TaskState): boolean {
  return state.modelOpen || state.pending.length > 0;
}

/** Puts messages that came in mid-step into the conversation. */
function hear(state: TaskState): TaskState {
  if (state.unheard.length === 0) return state;
  const heard = state.unheard.map((text): TranscriptEntry => ({ role: 'user', text }));
  return { ...state, transcript: [...state.transcript, ...heard], unheard: [] };
}

function answer(state: TaskState, result: ToolResult): TaskState {
  const pending = state.pending.filter((call) => call.id !== result.callId);
  const results = [...state.results, result];
  if (pending.length > 0) return { ...state, pending, results };
  return hear(closeStep({ ...state, pending, results }));
}

/** All results of a step become one entry, in the order of the calls. */
function closeStep(state: TaskState): TaskState {
  if (state.results.length === 0) return state;
  const last = state.transcript.at(-1);
  const order = last?.role === 'assistant' ? last.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [];
  const results = state.results.toSorted((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId));
  return { ...state, results: [], transcript: [...state.transcript, { role: 'tool', results }] };
}

/** A turn that ends with open calls closes them, because a provider refuses a call without a result. */
function endTurn(state: TaskState, reason: string): TaskState {
  const cut = state.pending.map((call): ToolResult => ({ callId: call.id, tool: call.tool, output: reason, isError: true }));
  const closed = closeStep({ ...state, pending: [], results: [...state.results, ...cut] });
  return { ...hear(closed), modelOpen: false, failures: 0, retryAt: 0, failingSince: 0 };
}

function foldUserMessage(state: TaskState, event: Extract<TaskEvent, { type: 'user_message' }>): TaskState {
  const armed = event.outputSchema ? { ...state, outputSchema: event.outputSchema } : state;
  const fresh = { ...armed, extraction: noExtraction };
  const asked = fresh.status === 'waiting' ? fresh.pending.find((call) => call.tool === askTool) : undefined;
  if (asked) return answer(fresh, { callId: asked.id, tool: asked.tool, output: event.text, isError: false });
  if (midStep(fresh)) return { ...fresh, unheard: [...fresh.unheard, event.text] };
  return { ...fresh, transcript: [...fresh.transcript, { role: 'user', text: event.text }] };
}

function foldModelFinished(state: TaskState, event: Extract<TaskEvent, { type: 'model_finished' }>): TaskState {
  const pending = event.parts.flatMap((part) => (part.type === 'call' ? [{ ...part, starts: 0 }] : []));
  const next: TaskState = {
    ...state,
    step: event.step,
    failures: 0,
    retryAt: 0,
    failingSince: 0,
    modelOpen: false,
    pending,
    results: [],
    transcript: [...state.transcript, { role: 'assistant', parts: event.parts }],
    usage: addUsage(state.usage, event.usage),
  };
  return pending.length > 0 ? next : hear(next);
}

function foldEffect(state: TaskState, event: TaskEvent, atMs: number): TaskState {
  switch (event.type) {
    case 'user_message':
      return foldUserMessage(state, event);
    case 'model_started':
      return { ...hear(state), modelOpen: true };
    case 'model_finished':
      return foldModelFinished(state, event);
    case 'model_failed':
      return {
        ...state,
        modelOpen: false,
        failures: event.attempt,
        retryAt: event.retryAt,
        failingSince: state.failingSince || atMs,
        usage: addUsage(state.usage, event.usage),
      };
    case 'tool_started':
      return {
        ...state,
        pending: state.pending.map((call) => (call.id === event.callId ? { ...call, starts: event.attempt } : call)),
      };
    case 'tool_finished':
      return answer(state, { callId: event.callId, tool: event.tool, output: event.output, isError: event.status === 'error' });
    case 'plan_updated':
      return { ...state, plan: event.steps };
    case 'extract_started':
      return { ...state, extraction: { ...state.extraction, starts: event.attempt } };
    case 'extract_finished':
      return {
        ...state,
        extraction: { ...state.extraction, outcome: { success: event.success, value: event.value, error: event.error } },
        usage: addUsage(state.usage, event.usage),
      };
    case 'extract_delivered':
      return { ...state, outputSchema: null, extraction: noExtraction };
    case 'stopped':
      return endTurn(state, 'Cancelled: the user stopped the task before this call finished.');
    case 'failed':
      return endTurn(state, 'Cancelled: the task ended with an error before this call finished.');
    case 'running':
    case 'waiting':
    case 'explained':
    case 'assistant_message':
    case 'plan_step_added':
    case 'user_stopped':
    case 'error':
      return state;
  }
}

/** The state after one more event of the log. Pure; folding a log in parts or at once gives the same state. */
export function fold(state: TaskState, logged: LoggedEvent): TaskState {
  const status = nextStatus(state.status, logged.event.type);
  if (status === null || logged.seq !== state.seq + 1) {
    throw new Fault('internal', 'The task log is damaged.', {
      detail: `event ${logged.seq} (${logged.event.type}) cannot follow event ${state.seq} in status ${state.status}`,
    });
  }
  return { ...foldEffect(state, logged.event, logged.atMs), status, seq: logged.seq, lastAtMs: logged.atMs };
}

/** The state of a whole log, or of its rest when `from` is given. */
export function foldAll(events: Iterable<LoggedEvent>, from: TaskState = emptyState): TaskState {
  let state = from;
  for (const event of events) state = fold(state, event);
  return state;
}
