import type { CallBill, CallEstimate } from './call-cost.ts';
import type { LeftOutFiles } from './left-out-files.ts';
import type { SeenPicture } from './seen-picture.ts';
import type { Taint, Trust } from '../egress/trust.ts';
import type { PublishedFor, SitePlatform } from '../websites/site.ts';

export type { TokenUsage } from './call-cost.ts';

/** The vocabulary of a task's log; `present` decides what clients see. Bodies are JSON without the `type`, files are references. */

/** Opaque data a provider wants back with the part it came with (signatures of reasoning, for example). */
export type ProviderData = Record<string, unknown>;

export type ModelPart =
  | { type: 'text'; text: string; provider?: ProviderData }
  | { type: 'reasoning'; text: string; provider?: ProviderData }
  | { type: 'call'; id: string; tool: string; input: unknown; provider?: ProviderData };

export type CallPart = Extract<ModelPart, { type: 'call' }>;

export interface PlanStep {
  title: string;
  status: 'todo' | 'doing' | 'done' | 'failed';
  /** Milliseconds since the epoch, null while it has not happened. */
  startedAt: number | null;
  endedAt: number | null;
}

/** A file stored by the service: its blob was durable before this was written. */
export interface StoredFile {
  blobId: string;
  filename: string;
  /** A MIME type. */
  contentType: string;
  bytes: number;
}

/** The two forms of one deck. */
export interface SlidesForms {
  html: StoredFile;
  pptx: StoredFile;
}

/** A file of a message. `forms` is there for slides only, and the file is then one of them. */
export interface Attachment extends StoredFile {
  kind: 'image' | 'file' | 'voice' | 'slides';
  forms?: SlidesForms;
}

/** What a tool made in the workspace, if it is more than the file name says. A later `file` at a path takes an earlier kind back. */
export type Made =
  | { kind: 'file'; path: string }
  /** A deck: `path` is one of its two forms. */
  | { kind: 'slides'; path: string; forms: { html: string; pptx: string } };

/** Which artifact a path of the workspace is; a later delivery from the same path is a newer version of the same artifact. */
export interface ArtifactPlace {
  artifactId: string;
  path: string;
}

/** A snapshot of a site, made from a folder of the workspace. */
export interface SiteCheckpoint {
  /** Also the id of its artifact. */
  websiteId: string;
  /** The folder in the workspace, with a slash at its end; what is made of it again is a newer checkpoint of the same site. */
  folder: string;
  /** The name in its public address; that of the first checkpoint counts. */
  space: string;
  title: string;
  platform: SitePlatform;
  versionId: string;
  message: string;
  /** All files one after another, and behind them, from `indexAt` on, their index as JSON. */
  blobId: string;
  indexAt: number;
  bytes: number;
  /** Given where it is published in the same breath: its user has confirmed that. */
  publishFor?: PublishedFor;
}

/** A file of the workspace that the agent gave to its user as a result. */
export interface DeliveredFile extends ArtifactPlace {
  displayName: string;
  attachment: Attachment;
}

/** A caller's JSON schema that waits for the task to finish (docs/reference/api.md#structured-output). */
export type OutputSchema = Record<string, unknown>;

export interface UserMessage {
  type: 'user_message';
  text: string;
  kind: 'text' | 'voice';
  attachments?: readonly Attachment[];
  /** Tasks that it refers to. */
  references?: readonly string[];
  /** IDs of the connectors to which its author restricts the task; all of the account's if omitted. */
  connectorGrant?: readonly string[];
  /** Of a message that another task's agent wrote: what that task had seen, and what its user had named. */
  inherited?: Trust;
  /** Arms structured output, or replaces the armed schema. */
  outputSchema?: OutputSchema;
}

/** The configuration of a task besides its messages. */
export interface TaskConfig {
  /** Of its project, as it was when the task was created. */
  instruction?: string;
  /** Of the messages' writer, for the agent. */
  instructions?: string;
  /** The project that it belongs to. */
  projectId?: string;
  /** Ids of the connectors that it uses; those that the account uses by default where it is left out. */
  connectors?: readonly string[];
  /** Of these, or of the default ones, those that the writer of the newest message may use; all where it is left out. */
  connectorGrant?: readonly string[];
  /** Ids of the skills that are available; all that the account may use where it is left out. */
  skills?: readonly string[];
  /** Ids of skills that are to be used, available in any case. */
  forcedSkills?: readonly string[];
  /** Whether actions that need approval run if nobody can be asked; true if omitted. */
  actions?: 'allow' | 'refuse';
  /** Who the agent is in a conversation that it keeps. */
  persona?: { nickname: string; about: string };
}

/** How a tool call is summarized for people: `brief` is one short line, `action` and `param` name what was done to what. */
export interface ToolCallSummary {
  brief: string;
  action: string;
  param: string;
}

/** A tool result that was cleared from the conversation, or truncated. */
export interface ClearedResult {
  /** Where it stands: the place of the entry in the conversation, and its own among the results there. */
  entry: number;
  result: number;
  /** The file of the workspace that has its full text; null where it could not be written. */
  path: string | null;
  /** Characters that stay. */
  head: number;
}

/** How the worker of an earlier run ended: told to stop, without its lease on the task, or dead or out of reach. */
export type RepeatReason = 'drain' | 'takeover' | 'crash';

export type TaskEvent =
  | UserMessage
  /** The beginning of a conversation in which nothing has been said yet. */
  | { type: 'prepared' }
  /** What is named here holds from here on; the rest stays as it is. */
  | ({ type: 'equipped' } & TaskConfig)
  /** A skill that the user asked for, as the model reads it. */
  | { type: 'skill_loaded'; skillId: string; text: string }
  /** The tools of connectors when the task began to use them: each with its name and a fingerprint to detect changes. */
  | { type: 'tools_pinned'; tools: Readonly<Record<string, string>> }
  | { type: 'running'; brief: string }
  | ({ type: 'model_started'; step: number; attempt: number; model: string; isLast?: true } & CallEstimate)
  | ({ type: 'model_finished'; step: number; parts: ModelPart[] } & CallBill)
  | ({ type: 'model_failed'; step: number; attempt: number; reason: string; retryAt: number } & CallBill)
  /** Old results were cleared; nothing before the entry `before` is to be looked at again. */
  | { type: 'context_cleared'; before: number; results: readonly ClearedResult[] }
  | ({ type: 'compact_started'; attempt: number; model: string } & CallEstimate)
  | ({ type: 'compact_failed'; attempt: number; reason: string; retryAt: number } & CallBill)
  /** The conversation begins with the summary from here on; then the entries `kept`, then all that follow `from`. */
  | ({ type: 'compacted'; summary: string; kept: readonly number[]; from: number } & CallBill)
  | { type: 'explained'; text: string }
  | { type: 'tool_started'; callId: string; tool: string; attempt: number }
  /** It begins once more, its first run having ended with its worker. */
  | { type: 'step_repeated'; callId: string; tool: string; attempt: number; reason: RepeatReason; firstStartedAtMs: number }
  | ({
      type: 'tool_finished';
      callId: string;
      tool: string;
      status: 'success' | 'error';
      output: string;
      /** What the model reads with it. */
      note?: string;
      /** It was not run, because it was the same again and again. */
      isRefused?: true;
      made?: readonly Made[];
      /** What models that see are shown with it. */
      pictures?: readonly SeenPicture[];
      /** What the result brought into the conversation. */
      taints?: readonly Taint[];
    } & ToolCallSummary)
  | ({ type: 'file_delivered' } & DeliveredFile)
  /** The first `count` of all files attached to the task stand in its workspace. */
  | { type: 'attachments_placed'; count: number }
  /** The workspace was restored from a copy that lacks these: how many, and the first of them. */
  | ({ type: 'files_left_out' } & LeftOutFiles)
  /** What is said in the voice message at this place, or why that is not known. */
  | { type: 'voice_transcribed'; path: string; text: string | null; problem: string | null }
  | ({ type: 'site_made' } & SiteCheckpoint)
  | { type: 'plan_updated'; steps: PlanStep[] }
  | { type: 'plan_step_added'; stepId: string; title: string }
  | { type: 'assistant_message'; text: string; attachments?: readonly Attachment[] }
  /** An action as it is going to be, for the person who is asked about it. */
  | ({ type: 'action_prepared'; callId: string; tool: string; params: Record<string, unknown> } & ToolCallSummary)
  /** For an answer, or for a decision about the action that the event before this one shows. */
  | {
      type: 'waiting';
      callId: string;
      question: string;
      /** Short answers that are likely; they stand in the question too. */
      suggestions?: readonly string[];
      /** `connectorId` is that of the connector it uses, which not every caller may use. */
      action?: { kind: string; schema: Record<string, unknown>; connectorId?: string };
    }
  | { type: 'decided'; callId: string; isAccepted: boolean; isLasting: boolean }
  | { type: 'user_stopped' }
  | { type: 'stopped'; by: 'agent' | 'user' }
  | { type: 'error'; errorType: string; text: string }
  | { type: 'failed' }
  | ({ type: 'extract_started'; attempt: number; model: string } & CallEstimate)
  | ({ type: 'extract_failed'; attempt: number; reason: string; isMisfit: boolean; retryAt: number } & CallBill)
  | ({ type: 'extract_finished'; success: boolean; value: unknown; error: string | null } & CallBill)
  | { type: 'extract_delivered'; success: boolean; value: unknown; error: string | null };

export type TaskEventType = TaskEvent['type'];

/** An event in its place: `seq` counts from 1 without gaps, `atMs` grows strictly within a task. */
export interface LoggedEvent {
  seq: number;
  atMs: number;
  event: TaskEvent;
}

export const taskStatuses = ['running', 'waiting', 'stopped', 'error'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
