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
import type { Taint } from '../../rules/egress/trust.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { OfferedSkill, SkillPackage } from '../../rules/skills/skill.ts';

/**
 * What a crash in mid-call means. `retry`: run it again (reads, work inside the workspace); `keyed`: run it again with the
 * same call id, the receiver drops the second; `once`: never run again; the model learns that the outcome is unknown.
 */
export type ToolEffect = 'retry' | 'keyed' | 'once';

/** Says what the task may reach, given what it has seen: null, or why not in words for a model. */
export interface EgressGuard {
  refuseHost(host: string): string | null;
  /** The same for a command, which may have read every file by then and, when it has reached a host, what came from there. */
  refuseFromCommand(host: string, hasConnected: boolean): string | null;
  /** The same for a whole address; one that a page or a search showed as it is may always be read. */
  refuseAddress(url: string): string | null;
}

/** The skills of one task. */
export interface TaskSkills {
  readonly offered: readonly OfferedSkill[];
  /** A whole skill; null when it is gone. */
  load(skillId: string): Promise<SkillPackage | null>;
}

export interface ToolContext {
  accountId: string;
  taskId: string;
  workspace: Workspace;
  /** Stable over retries of the same call. */
  callId: string;
  /** Aborted when the task is stopped or its lease is lost; a tool must then end at once. */
  signal: AbortSignal;
  /** Shows readers what the tool writes while it runs; the log gets the outcome alone. */
  report(text: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The plan as it stands. */
  plan: readonly PlanStep[];
  skills: TaskSkills;
  egressGuard: EgressGuard;
  /** Tasks that the user referred to. */
  references: readonly string[];
  /** What earlier calls made in the workspace; see `findMade`. */
  made: readonly Made[];
  /** What was delivered before. */
  artifacts: readonly ArtifactPlace[];
  /** Keeps a picture so that the model sees it with the result; null for a file that cannot be shown. Absent where it cannot see. */
  show?(name: string, picture: Uint8Array): Promise<SeenPicture | null>;
  /** The newest checkpoint of every site that was made before. */
  sites: readonly SiteCheckpoint[];
}

export interface ToolOutcome {
  status: 'success' | 'error';
  /** What the model reads. */
  output: string;
  /** The whole plan after this call, when the call changed it. */
  plan?: PlanStep[];
  /** What the output holds, besides what `reads` of the tool says. */
  taints?: readonly Taint[];
  /** What the model is to see. */
  pictures?: SeenPicture[];
  /** What this call made in the workspace, where it is more than a plain file. */
  made?: Made[];
  /** Files given to the user as results; their blobs are durable. */
  delivered?: DeliveredFile[];
  /** A new checkpoint of a site; its blob is durable. */
  site?: SiteCheckpoint;
}

/** `user`: one who answers; `subtasks`: permission to create some; `skills`: any to load; `references`: other tasks that its user named. */
export type ToolNeed = 'user' | 'subtasks' | 'skills' | 'references';

/** One agent tool. `input` checks what the model sent before `run` sees it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  input: Input;
  /** The model's schema of the input, if not derived from ours. */
  inputSchema?: Record<string, unknown>;
  effect: ToolEffect;
  /** The connector that it belongs to. */
  connectorId?: string;
  /**
   * What its output holds: `files` of the workspace, among which those of the user are private; `web` pages of strangers;
   * `private` material from elsewhere.
   */
  reads?: 'files' | 'web' | 'private';
  /** What a task must have for the tool to be of use; it is not offered to others. */
  needs?: ToolNeed;
  /** The kind of action that a person is asked about first; null where this call needs no approval. Left out: asked for `once`. */
  asksFor?(input: z.infer<Input>): ActionKind | null;
  account(input: z.infer<Input>): ToolCallSummary;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutcome>;
}

/** Keeps the input's type inside the definition while lists hold plain `Tool`s. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}
