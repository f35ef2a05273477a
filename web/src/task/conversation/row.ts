import type { Attachment, TaskEvent } from '@errand/client';

export type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;
export type TaskStatus = EventOf<'status_update'>['status_update']['agent_status'];
export type PlanStep = EventOf<'plan_update'>['plan_update']['steps'][number];

/** A call of a tool: as it is running, or as it went. */
export interface ToolCall {
  /** The id of the call, made unlike any other of the task where a model has used it before. */
  key: string;
  actionId: string;
  tool: string;
  state: 'running' | 'success' | 'error' | 'rollback';
  /** One line for people; empty while the call runs. */
  brief: string;
  action: string;
  param: string;
  output: string;
  /** Whether the beginning of the output was not received; the end of the call brings all of it. */
  isCut: boolean;
  /** Unix time in milliseconds at which it ended; null while it runs. */
  atMs: number | null;
}

interface Base {
  /** Stays the same for as long as the row represents the same thing. */
  key: string;
  /** Unix time in milliseconds. */
  atMs: number;
}

export interface UserRow extends Base {
  kind: 'user';
  text: string;
  isVoice: boolean;
  attachments: readonly Attachment[];
}

/** What was written here and is not in the log yet. */
export interface PendingRow extends Base {
  kind: 'pending';
  text: string;
  filenames: readonly string[];
  /** `accepted`: the service has it, its event is on the way. */
  delivery: 'sending' | 'accepted' | 'failed';
  /** What the service said about a failure. */
  problem: string | null;
}

export interface AgentRow extends Base {
  kind: 'agent';
  text: string;
  attachments: readonly Attachment[];
  /** Said beside the work, not as an answer. */
  isAside: boolean;
}

/** A reply while it is being written. */
export interface DraftRow extends Base {
  kind: 'draft';
  text: string;
  isCut: boolean;
}

/** Calls of tools one after another with nothing said in between. */
export interface WorkRow extends Base {
  kind: 'work';
  calls: readonly ToolCall[];
  /** When the first began, as far as the log tells. */
  fromMs: number;
}

export interface QuestionRow extends Base {
  kind: 'question';
  text: string;
  suggestions: readonly string[];
  attachments: readonly Attachment[];
  isOpen: boolean;
}

export interface ConfirmRow extends Base {
  kind: 'confirm';
  /** What task.confirmAction takes. */
  eventId: string;
  /** `terminalExecute` and so on; empty while the log does not say so yet. */
  actionKind: string;
  description: string;
  /** The JSON schema of the decision. */
  schema: Readonly<Record<string, unknown>>;
  tool: string;
  brief: string;
  /** What exactly is to be done; empty for readers who are not shown it. */
  params: Readonly<Record<string, unknown>>;
  actionId: string | null;
  /** `decided`: one way or the other, what comes of it tells which; `passed`: a message or a stop came instead. */
  outcome: 'open' | 'decided' | 'allowed' | 'declined' | 'passed';
}

export interface ErrorRow extends Base {
  kind: 'error';
  errorType: string;
  text: string;
}

/** The end of a turn. */
export interface EndRow extends Base {
  kind: 'end';
  by: 'agent' | 'user';
  /** When the turn began; null where that is not among the events that were read. */
  fromMs: number | null;
}

export interface ResultRow extends Base {
  kind: 'result';
  isSuccess: boolean;
  value: unknown;
  problem: string | null;
}

export type LogRow = UserRow | AgentRow | WorkRow | QuestionRow | ConfirmRow | ErrorRow | EndRow | ResultRow;
export type Row = LogRow | DraftRow | PendingRow;

/** A file of the conversation: who brought it, and the newest of those with its name. */
export interface TaskFile {
  attachment: Attachment;
  isFromAgent: boolean;
  atMs: number;
}
