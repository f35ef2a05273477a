import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import type { z } from 'zod';
import type { ActionKind } from '../../rules/tasks/confirmation.ts';
import type {
  ArtifactPlace,
  DeliveredFile,
  Made,
  PlanStep,
  SiteCheckpoint,
  ToolCallSummary,
} from '../../rules/events/task-event.ts';
import type { RowResult, RowWork } from '../../rules/rows/row-work.ts';
import type { Taint } from '../../rules/egress/trust.ts';
import type { StorageUse } from '../../rules/files/storage-quota.ts';
import type { PictureRequest } from '../../models/pictures/picture-request.ts';
import type { Transcriber } from '../../models/speech/transcriber.ts';
import type { TaskBrand } from '../brands/task-brand.ts';
import type { EgressGuard } from './egress-guard.ts';
import type { TaskResources } from './task-resources.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { OfferedSkill, SkillPackage } from '../../rules/skills/skill.ts';

export type { EgressGuard } from './egress-guard.ts';

/**
 * How to handle a crash in mid-call. `retry`: run it again, which changes nothing (reads, files written whole); `repeat`: run it again, and
 * say so, because the first run may have had effects (commands); `keyed`: the same with the same call id, by which the receiver drops the
 * duplicate; `once`: never run it again; the model learns that the outcome is unknown.
 */
export type ToolEffect = 'retry' | 'repeat' | 'keyed' | 'once';

/** The skills of one task. */
export interface TaskSkills {
  readonly offered: readonly OfferedSkill[];
  /** A complete skill; null if it is deleted. */
  load(skillId: string): Promise<SkillPackage | null>;
}

/** Thrown where a call has no outcome: the task was taken away, or it waits and repeats the call when it continues. */
export class NoOutcome extends Error {}

/** What a setup script has made. */
export interface PreparedLayer {
  folder: string;
  /** Whether the script has read from hosts that the operator has not named. */
  isUntrusted: boolean;
}

export interface ToolContext {
  accountId: string;
  taskId: string;
  workspace: Workspace;
  /** Stable over retries of the same call. */
  callId: string;
  /** The place of the call in the trace of its task, for servers that it calls; null for none. */
  traceparent?: string | null;
  /** Aborted when the task is stopped or its lease is lost; the tool must then end at once. */
  signal: AbortSignal;
  /** Streams output to readers while the tool runs; only the outcome is logged. */
  report(text: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The current plan. */
  plan: readonly PlanStep[];
  skills: TaskSkills;
  egressGuard: EgressGuard;
  /** What results are to look like; absent without a brand. */
  brand?: TaskBrand;
  /** The task's memory, which commands see at /memory if they mount this folder. */
  memory?: { mount(): Promise<string> };
  /** What the setup script of the task's project has made, for commands to mount; null if it made nothing. The script may run first. */
  setup?: { mount(): Promise<PreparedLayer | null> };
  /** What tools keep between calls. */
  resources: TaskResources;
  /** Tasks that the user referred to. */
  references: readonly string[];
  /** What earlier calls generated in the workspace; see `findMade`. */
  made: readonly Made[];
  /** What was delivered before. */
  artifacts: readonly ArtifactPlace[];
  /** The step of the task to which the call belongs. */
  step: number;
  /** What the task has stored outside its workspace; see `openResults`. */
  stored: StorageUse;
  /** Stores an image so that the model sees it with the result; null for a file that cannot be shown. Absent for models without vision. */
  show?(name: string, picture: Uint8Array): Promise<SeenPicture | null>;
  /** What transcribes recordings; null without a speech model. */
  transcriber?: Transcriber | null;
  /** The newest checkpoint of every existing site. */
  sites: readonly SiteCheckpoint[];
  /**
   * Asks the task's model about the rows, one by one; returns the result of every row. Rejects with `NoOutcome` if the task cannot continue
   * now; the call is run again when it does.
   */
  mapRows(work: RowWork): Promise<readonly RowResult[]>;
  /**
   * Has the image model make a picture, at most once for this call; says why there is none. Rejects with `NoOutcome` as `mapRows` does.
   * Absent without an image model.
   * @param findObstacle called before the picture is ordered, and so not for one that an earlier run of this call has ordered: says why it is
   * not to be ordered, null if it may be
   */
  makePicture?(request: PictureRequest, findObstacle: () => Promise<string | null>): Promise<PictureResult>;
}

/** The outcome of a request: the bytes that the model sent, unchecked, or why there are none. */
export type PictureResult = { model: string; bytes: Uint8Array } | { problem: string };

export interface ToolOutcome {
  status: 'success' | 'error';
  /** The text for the model. */
  output: string;
  /** The whole plan after this call, if the call changed it. */
  plan?: PlanStep[];
  /** What the call names the task, beside a plan. */
  taskTitle?: string;
  /** Taints of this output, in addition to `reads` of the tool. */
  taints?: readonly Taint[];
  /** The output contains files of the workspace, though `reads` of the tool says otherwise. */
  readsFiles?: boolean;
  /** Images for the model. */
  pictures?: SeenPicture[];
  /** What this call generated in the workspace, if it is more than a plain file. */
  made?: Made[];
  /** Files given to the user as results; their blobs are durable. */
  delivered?: DeliveredFile[];
  /** A new checkpoint of a site; its blob is durable. */
  site?: SiteCheckpoint;
}

/**
 * `user`: one who answers; `subtasks`: permission to create some; `skills`: any to load; `references`: other tasks named by the user;
 * `images`: an image model.
 */
export type ToolNeed = 'user' | 'subtasks' | 'skills' | 'references' | 'images';

/** One agent tool. `input` checks what the model sent before `run` sees it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  input: Input;
  /** The model's schema of the input, if not derived from ours. */
  inputSchema?: Record<string, unknown>;
  effect: ToolEffect;
  /** The connector that provides it. */
  connectorId?: string;
  /** What the server of that connector calls it. */
  serverName?: string;
  /**
   * What its output contains: `files` of the workspace, of which those of the user are private; `web` pages of strangers; `private`
   * material from elsewhere.
   */
  reads?: 'files' | 'web' | 'private';
  /** Present if the output can repeat the model's input, so that a URL in it need not come from a stranger. */
  echoes?: true;
  /** Present if the tool changes nothing. Such calls of one reply run in parallel. */
  onlyReads?: true;
  /** What a task must have for the tool to be useful; otherwise it is not offered. */
  needs?: ToolNeed;
  /** True if the tool works but is not offered, because another tool does the same. */
  isSpare?: boolean;
  /** The kind of action that a person is asked about first; null where this call needs no approval. Left out: asked for `once`. */
  asksFor?(input: z.infer<Input>): ActionKind | null;
  /** The line, action and parameter that show a call to people; of checked input. */
  summarize(input: z.infer<Input>): ToolCallSummary;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutcome>;
}

/** Keeps the input's type inside the definition while lists hold plain `Tool`s. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}
