import type { Attachment, TaskEvent } from '@errand/client';

export type EventOf<Type extends TaskEvent['type']> = Extract<TaskEvent, { type: Type }>;
export type TaskStatus = EventOf<'status_update'>['status_update']['agent_status'];
export type PlanStep = EventOf<'plan_update'>['plan_update']['steps'][number];

/** A tool call, running or finished. */
export interface ToolCall {
  /** The id of the call, made unique if a model has reused it. */
  key: string;
  actionId: string;
  tool: string;
  state: 'running' | 'success' | 'error' | 'rollback';
  /** One line for people; empty while the call runs. */
  brief: string;
  action: string;
  param: string;
  output: string;
  /** Charts and pictures that it has made. */
  pictures: readonly { path: string; url: string }[];
  /** Whether the beginning of the output was missed; the end of the call brings all of it. */
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
  /** The account of who wrote it; null for the owner of the task. */
  authorId: string | null;
  text: string;
  isVoice: boolean;
  attachments: readonly Attachment[];
}

/** A message that is not in the log yet. */
export interface PendingRow extends Base {
  kind: 'pending';
  text: string;
  filenames: readonly string[];
  /** `accepted`: the service has it, its event will follow. */
  delivery: 'sending' | 'accepted' | 'failed';
  /** The service's error message. */
  problem: string | null;
}

export interface AgentRow extends Base {
  kind: 'agent';
  text: string;
  attachments: readonly Attachment[];
  /** Said during the work, not as an answer. */
  isAside: boolean;
  /** The message of the user before it; null if it is none, or was not loaded. */
  askedBy: string | null;
}

/** A partial reply. */
export interface DraftRow extends Base {
  kind: 'draft';
  text: string;
  isCut: boolean;
}

/** What was written of a reply that its reader stopped. The log does not have it. */
export interface StoppedRow extends Base {
  kind: 'stopped';
  text: string;
}

/** Consecutive tool calls with no message in between. */
export interface WorkRow extends Base {
  kind: 'work';
  calls: readonly ToolCall[];
  /** When the first began, if known. */
  fromMs: number;
}

export interface QuestionRow extends Base {
  kind: 'question';
  /** Whether no agent asks, but a budget is used up. */
  isBudget: boolean;
  text: string;
  suggestions: readonly string[];
  attachments: readonly Attachment[];
  isOpen: boolean;
}

export interface ConfirmRow extends Base {
  kind: 'confirm';
  /** The input of task.confirmAction. */
  eventId: string;
  /** `terminalExecute` and so on; empty until the log says so. */
  actionKind: string;
  description: string;
  /** The JSON schema of the decision. */
  schema: Readonly<Record<string, unknown>>;
  tool: string;
  brief: string;
  /** The exact parameters; empty for readers without access to tools. */
  params: Readonly<Record<string, unknown>>;
  actionId: string | null;
  /** `decided`: the outcome follows; `passed`: superseded by a message or a stop. */
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
  /** `nobody`: no language model was connected. */
  by: 'agent' | 'user' | 'nobody';
  /** When the turn began; null if that event was not loaded. */
  fromMs: number | null;
}

/** A tool call that runs again, because its worker ended. */
export interface RepeatRow extends Base {
  kind: 'repeat';
  tool: string;
  reason: EventOf<'step_repeated'>['step_repeated']['reason'];
  /** Unix time in milliseconds. */
  firstAtMs: number;
}

export interface ResultRow extends Base {
  kind: 'result';
  isSuccess: boolean;
  value: unknown;
  problem: string | null;
}

export type LogRow =
  | UserRow
  | AgentRow
  | StoppedRow
  | WorkRow
  | QuestionRow
  | ConfirmRow
  | ErrorRow
  | EndRow
  | RepeatRow
  | ResultRow;
export type Row = LogRow | DraftRow | PendingRow;

/** A file of the conversation: its source, and the newest one with its name. */
export interface TaskFile {
  attachment: Attachment;
  isFromAgent: boolean;
  atMs: number;
  /** The event of the message. */
  eventId: string;
}
