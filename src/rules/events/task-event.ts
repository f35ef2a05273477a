import type { CallBill, CallEstimate, CallFault, ModelSwitch } from './call-cost.ts';
import type { ExtractEvent } from './extract-events.ts';
import type { RunningProcess } from './running-process.ts';
import type { LeftOutFiles } from './left-out-files.ts';
import type { ModelPart } from './model-part.ts';
import type { PictureEvent } from './picture-events.ts';
import type { AwaitedFile, FileFetched } from './awaited-file.ts';
import type { Attachment, DeliveredFile, Made } from './result-files.ts';
import type { RowsEvent } from './row-events.ts';
import type { SeenPicture } from './seen-picture.ts';
import type { SiteCheckpoint } from './site-checkpoint.ts';
import type { Taint, Trust } from '../egress/trust.ts';

export type { AwaitedFile } from './awaited-file.ts';
export type { CallBill, TokenUsage } from './call-cost.ts';
export type { ArtifactPlace, Attachment, DeliveredFile, Made, SlidesForms, StoredFile } from './result-files.ts';
export type { SiteCheckpoint } from './site-checkpoint.ts';
export type { CallPart, ModelPart, ProviderData } from './model-part.ts';

/** The event types of a task's log; `present` decides what clients see. Bodies are JSON without the `type`, files are references. */

export interface PlanStep {
  title: string;
  status: 'todo' | 'doing' | 'done' | 'failed';
  /** Milliseconds since the epoch; null until it happens. */
  startedAt: number | null;
  endedAt: number | null;
}

/** A caller's JSON schema for the result of the finished task (docs/reference/api.md#structured-output). */
export type OutputSchema = Record<string, unknown>;

/** Where a text has what a stranger wrote: the position of its first character, and the one after its last. */
export type QuotedSpan = readonly [start: number, end: number];

export interface UserMessage {
  type: 'user_message';
  text: string;
  kind: 'text' | 'voice';
  attachments?: readonly Attachment[];
  /** Files that are still to be fetched, each followed by `file_fetched` before the end of the turn. */
  awaited?: readonly AwaitedFile[];
  /** Tasks that the message refers to. */
  references?: readonly string[];
  /** IDs of the connectors to which its author restricts the task; all of the account's if omitted. */
  connectorGrant?: readonly string[];
  /** In a message by another task's agent: what that task had seen, and what its user had named. */
  inherited?: Trust;
  /** In a message composed by a trigger: the spans of its text that the sender wrote. */
  quoted?: readonly QuotedSpan[];
  /** Arms structured output, or replaces the armed schema. */
  outputSchema?: OutputSchema;
  /** The span of the sender: the `traceparent` of the request, valid and in version 00. */
  traceparent?: string;
  /** Present if the service wrote the message because nobody answered in time. What its author may use stays as it was. */
  by?: 'time_limit';
  /** The account whose person wrote the message, if it is not that of the task's owner; absent in logs of earlier versions. */
  authorId?: string;
}

/** The configuration of a task besides its messages. */
export interface TaskConfig {
  /** The instruction of its project when the task was created. */
  instruction?: string;
  /** Instructions to the agent from the writer of the messages. */
  instructions?: string;
  /** The project of the task. */
  projectId?: string;
  /** IDs of the connectors that the task uses; the account's default connectors if omitted. */
  connectors?: readonly string[];
  /** The subset of these connectors that the writer of the newest message may use; all of them if omitted. */
  connectorGrant?: readonly string[];
  /** IDs of the available skills; all that the account may use if omitted. */
  skills?: readonly string[];
  /** IDs of skills that the task must use; they are always available. */
  forcedSkills?: readonly string[];
  /** Whether actions that need approval run if nobody can be asked; true if omitted. */
  actions?: 'allow' | 'refuse';
  /** In a subtask of an attended task: kinds of actions already allowed in the parent task, which asks about all others. */
  approvals?: readonly string[];
  /** Whether the task sees memory; it does if omitted. */
  memory?: 'off';
  /** Present if whoever started the task named its locale. */
  hasOwnLocale?: true;
  /** Present if the project had a setup script when the task was created. */
  setup?: 'on';
  /** The agent's persona in its main task. */
  persona?: { nickname: string; about: string };
}

/** Summary of a tool call for people: `brief` is one short line; `action` and `param` say what was done to what. */
export interface ToolCallSummary {
  brief: string;
  action: string;
  param: string;
}

/** A tool result that was cleared from the conversation, or truncated. */
export interface ClearedResult {
  /** Position of the result: the index of the entry in the conversation, and its index among the results of that entry. */
  entry: number;
  result: number;
  /** The workspace file with its full text; null if it could not be written. */
  path: string | null;
  /** Number of characters that remain. */
  head: number;
}

/** How the worker of an earlier run ended: told to stop, without its lease on the task, or dead or out of reach. */
export type RepeatReason = 'drain' | 'takeover' | 'crash';

export type TaskEvent =
  | UserMessage
  /** The start of a conversation without messages. */
  | { type: 'prepared' }
  /** Fields that are present apply from here on; the others remain as they were. */
  | ({ type: 'equipped' } & TaskConfig)
  /** A skill that the user requested was loaded, in the form that the model reads. */
  | { type: 'skill_loaded'; skillId: string; text: string }
  /** The connector tools as of their first use by the task, by name, each with a fingerprint to detect changes. */
  | { type: 'tools_pinned'; tools: Readonly<Record<string, string>> }
  | { type: 'running'; brief: string }
  | ({ type: 'model_started'; step: number; attempt: number; model: string; isLast?: true } & CallEstimate)
  /** `isContinued`: its text reached the output limit, and the next step continues it. */
  | ({ type: 'model_finished'; step: number; parts: ModelPart[]; isContinued?: true } & CallBill)
  | ({ type: 'model_failed'; step: number; attempt: number; reason: string; retryAt: number } & CallFault &
      ModelSwitch &
      CallBill)
  /** The task waits out an outage or overload. */
  | { type: 'model_waiting'; model: string; sinceMs: number; nextTryAtMs: number }
  /** Old results were cleared; entries before `before` need no second look. */
  | { type: 'context_cleared'; before: number; results: readonly ClearedResult[] }
  | ({ type: 'compact_started'; attempt: number; model: string } & CallEstimate)
  | ({ type: 'compact_failed'; attempt: number; reason: string; retryAt: number } & CallFault & ModelSwitch & CallBill)
  /** The notes summarize all entries before `upTo`; more parts follow. */
  | ({ type: 'compact_part'; notes: string; upTo: number } & CallBill)
  /** From here on, the conversation starts with the summary, followed by the entries `kept` and all entries after `from`. */
  | ({ type: 'compacted'; summary: string; kept: readonly number[]; from: number } & CallBill)
  /** The structure that the result will have, in the form that the model reads. */
  | { type: 'schema_shown'; text: string }
  | { type: 'explained'; text: string }
  | { type: 'tool_started'; callId: string; tool: string; attempt: number }
  /** A call begins once more, because its first run ended with its worker. */
  | { type: 'step_repeated'; callId: string; tool: string; attempt: number; reason: RepeatReason; firstStartedAtMs: number }
  | ({
      type: 'tool_finished';
      callId: string;
      tool: string;
      status: 'success' | 'error';
      output: string;
      /** When the run with this outcome began; absent in logs of the first version, and for a call that did not run. */
      startedAtMs?: number;
      /** Additional text for the model. */
      note?: string;
      /** The call did not run, because it had been repeated too often. */
      isRefused?: true;
      /** The call did not run, because a person declined it, or nobody confirmed it in time; absent in logs of earlier versions. */
      isDeclined?: true;
      made?: readonly Made[];
      /** Pictures for models with vision. */
      pictures?: readonly SeenPicture[];
      /** The taints that the result added to the conversation. */
      taints?: readonly Taint[];
      /** What keeps running between calls from now on, if this call changed it. */
      lasting?: readonly RunningProcess[];
    } & ToolCallSummary)
  /** Something that kept running between calls has ended with its worker. */
  | { type: 'process_lost'; things: readonly RunningProcess[] }
  | ({ type: 'file_delivered' } & DeliveredFile)
  /** The first `count` of all files attached to the task are in its workspace. */
  | { type: 'attachments_placed'; count: number }
  /** The workspace was restored from a copy that lacks these entries: how many, and the first of them. */
  | ({ type: 'files_left_out' } & LeftOutFiles)
  | FileFetched
  /** The transcript of the voice message at this path, or why there is none. */
  | { type: 'voice_transcribed'; path: string; text: string | null; problem: string | null }
  | ({ type: 'site_made' } & SiteCheckpoint)
  /** `title`: what the agent calls the task, which is its title if it had none but the first words of its message. */
  | { type: 'plan_updated'; steps: PlanStep[]; title?: string }
  | { type: 'plan_step_added'; stepId: string; title: string }
  | { type: 'assistant_message'; text: string; attachments?: readonly Attachment[] }
  /** A prepared action, shown to the person who has to approve it. */
  | ({ type: 'action_prepared'; callId: string; tool: string; params: Record<string, unknown> } & ToolCallSummary)
  /** The task waits for an answer, or for a decision about the action in the previous event. */
  | {
      type: 'waiting';
      /** Null if the task waits for a higher budget. */
      callId: string | null;
      question: string;
      /** Likely short answers, which are also part of the question. */
      suggestions?: readonly string[];
      /** `connectorId` is the connector it uses; not every caller may use that. `isOnce`: a policy asks about each such call. */
      action?: { kind: string; schema: Record<string, unknown>; connectorId?: string; isOnce?: true };
      /** The budget that is used up, and when its next period begins, if it has periods. Without a scope, it is the budget of subtasks. */
      budget?: { scope?: string; scopeId?: string; period?: string; retryAtMs: number | null };
    }
  /** Most of a budget is used. Amounts in credits. */
  | { type: 'budget_warning'; scope: string; period: string; credits: number; used: number }
  /** `by` is present if nobody decided in time. */
  | { type: 'decided'; callId: string; isAccepted: boolean; isLasting: boolean; by?: 'time_limit' }
  | { type: 'user_stopped' }
  /** `isUnanswered`: no language model was connected, so nobody worked on the message. */
  | { type: 'stopped'; by: 'agent' | 'user'; isUnanswered?: true }
  | { type: 'error'; errorType: string; text: string }
  | { type: 'failed' }
  | RowsEvent
  | PictureEvent
  | ExtractEvent;

export type TaskEventType = TaskEvent['type'];

/** An event with its position: `seq` counts from 1 without gaps, `atMs` increases strictly within a task. */
export interface LoggedEvent {
  seq: number;
  atMs: number;
  event: TaskEvent;
}

export const taskStatuses = ['running', 'waiting', 'stopped', 'error'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
