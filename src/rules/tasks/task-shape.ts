import type { RunningProcess } from '../events/running-process.ts';
import type { ToolResult, TranscriptEntry, UserEntry } from '../context/transcript.ts';
import type { PlacedAttachment } from '../messages/attachment-place.ts';
import { type Compaction, noCompaction } from '../context/compaction-state.ts';
import type { ModelInUse } from './model-choice.ts';
import type { PictureCall } from '../events/picture-events.ts';
import type { CutReply } from './cut-reply.ts';
import type { CallTrace } from './repetition.ts';
import type { TurnStart } from './turn-limits.ts';
import { type Extraction, noExtraction } from '../output/extraction-state.ts';
import { noRowFailures, type RowsState } from '../rows/rows-state.ts';
import type {
  ArtifactPlace,
  AwaitedFile,
  CallPart,
  DeliveredFile,
  TaskConfig,
  Made,
  OutputSchema,
  PlanStep,
  SiteCheckpoint,
  TaskStatus,
  TokenUsage,
} from '../events/task-event.ts';
import { freshTrust, type Trust } from '../egress/trust.ts';
import { noUse, type StorageUse } from '../files/storage-quota.ts';

export interface PendingCall extends CallPart {
  /** How often the call has been started without an end being logged. */
  starts: number;
  /** When the first of these starts was logged. */
  firstStartedAtMs?: number;
  /** A person's decision about the call; absent if none was requested. */
  isAccepted?: boolean;
  /** Present if nobody decided in time, which counts as not accepted. */
  isTimedOut?: true;
}

/** The state of a task's log so far. Immutable: `fold` creates a new one. */
export interface TaskState {
  status: TaskStatus;
  /** The last event folded, 0 for none. */
  seq: number;
  lastAtMs: number;
  /** Model steps finished so far. */
  step: number;
  /** Failed calls of the current step, and the earliest time of the next. */
  failures: number;
  retryAt: number;
  /** When the first of these failures was logged, 0 for none. */
  failingSince: number;
  modelOpen: boolean;
  /** The model of the latest call, and the one that replaces the profile's first. */
  calledModel: string | null;
  modelInUse: ModelInUse | null;
  transcript: readonly TranscriptEntry[];
  /** The date of the newest user message. */
  day: string | null;
  /** The text of a reply that reached its output limit, as far as it is written. */
  cutReply: CutReply | null;
  /** Messages that arrived in mid-step; received before the next one. */
  pendingMessages: readonly UserEntry[];
  /** Calls of the last step without a result, and the results so far. */
  pending: readonly PendingCall[];
  results: readonly ToolResult[];
  plan: readonly PlanStep[];
  /** Entries of the workspace that are more than a file, one per path. */
  made: readonly Made[];
  /** What the tools keep between calls, until the worker gives up the task. */
  lasting: readonly RunningProcess[];
  /** Files delivered since the agent's last message: attached to the next one. */
  delivered: readonly DeliveredFile[];
  /** The call that a waiting task waits for. */
  waitingFor: string | null;
  /** The kind of the action that was last proposed; null for a question. */
  waitingKind: string | null;
  /** Kinds of actions that the user has allowed permanently. */
  allowedActions: readonly string[];
  taskConfig: TaskConfig;
  /** Tools of connectors by name, with a fingerprint to detect changes; null before the task has used any. */
  pins: Readonly<Record<string, string>> | null;
  /** Every delivered path with its artifact: another delivery from there is a newer version of it. */
  artifacts: readonly ArtifactPlace[];
  /** Blobs outside the workspace that its log keeps: deliveries, checkpoints of sites, pictures for the model. */
  stored: StorageUse;
  /** All files of the user's messages, in order, with their places in the workspace; the first `placed` are already there. */
  attachments: readonly PlacedAttachment[];
  /** Files of messages that are still to be fetched, in order. */
  awaited: readonly AwaitedFile[];
  placed: number;
  /** Ids of required skills that are not loaded yet. */
  wantedSkills: readonly string[];
  /** Tasks that its user referenced, the most recent last. */
  references: readonly string[];
  /** Taints of the task and the hosts that its user has named. They determine its egress. */
  trust: Trust;
  /** The newest checkpoint of every site. */
  sites: readonly SiteCheckpoint[];
  outputSchema: OutputSchema | null;
  /** Whether the conversation states the structure of the result. */
  isSchemaShown: boolean;
  extraction: Extraction;
  rows: RowsState;
  /** The picture that a call of this step makes or has made; absent if there is none. */
  picture?: PictureCall;
  usage: TokenUsage;
  /** The latest calls since the user's last message, for detecting loops. */
  traces: readonly CallTrace[];
  turn: TurnStart;
  /** Entries before this one have been searched for results to clear. */
  clearedBefore: number;
  compaction: Compaction;
  /** Tokens counted by the provider per estimated token, at least 1; from its last reply. */
  inputRatio: number;
  /** The estimate for the latest call. */
  openEstimate: number;
}

export const emptyState: TaskState = {
  status: 'running',
  seq: 0,
  lastAtMs: 0,
  step: 0,
  failures: 0,
  retryAt: 0,
  failingSince: 0,
  modelOpen: false,
  calledModel: null,
  modelInUse: null,
  transcript: [],
  day: null,
  cutReply: null,
  pendingMessages: [],
  pending: [],
  results: [],
  plan: [],
  made: [],
  lasting: [],
  delivered: [],
  waitingFor: null,
  waitingKind: null,
  allowedActions: [],
  taskConfig: {},
  pins: null,
  artifacts: [],
  stored: noUse,
  attachments: [],
  awaited: [],
  placed: 0,
  wantedSkills: [],
  references: [],
  trust: freshTrust,
  sites: [],
  outputSchema: null,
  isSchemaShown: false,
  extraction: noExtraction,
  rows: noRowFailures,
  usage: { input: 0, output: 0, cached: 0 },
  traces: [],
  turn: { step: 0, tokens: 0, workedMs: 0, lastStep: null, progressStep: 0 },
  clearedBefore: 0,
  compaction: noCompaction,
  inputRatio: 1,
  openEstimate: 0,
};

/** The tool whose calls make the task wait for its user. */
export const askTool = 'ask_user';

/** The tool whose calls become subtasks, which the task waits for. */
export const subtaskTool = 'create_subtask';

/** How many levels of subtasks are allowed. */
export const maxSubtaskDepth = 2;
