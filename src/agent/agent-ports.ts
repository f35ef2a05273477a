import type { Clock } from '@errand/base/clock.ts';
import type { DeltaSink } from '@errand/base/signals/deltas.ts';
import type { TaskBudget } from '../rules/tasks/task-budget.ts';
import type { TaskConfig, TaskStatus } from '../rules/events/task-event.ts';
import type { Trust } from '../rules/egress/trust.ts';
import type { Model } from '../models/model.ts';
import type { Transcriber } from '../models/speech/transcriber.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { TaskSkills, Tool } from '../tools/toolbox/tool.ts';
import type { Toolbox } from '../tools/toolbox/toolbox.ts';
import type { Journal } from './journal.ts';
import type { OpenAttachment, ShownImages } from './shown-images.ts';

/** What the agent needs to know of a task besides its log. */
export interface TaskFacts {
  accountId: string;
  taskId: string;
  isInteractive: boolean;
  profile: string;
  locale: string;
  /** How many ancestors it has. */
  depth: number;
}

/** What a subtask is made of. */
export interface SubtaskRequest {
  title: string;
  instructions: string;
  /** What its parent has seen, and what the parent's user has named. */
  inherited: Trust;
  /** What its parent works with: it can do no more than that one may. */
  taskConfig: TaskConfig;
}

/** What came of a subtask. */
export interface SubtaskResult {
  status: TaskStatus;
  /** Its last message, or why it ended. */
  text: string;
  /** Paths of the files that it gave as results. */
  delivered: readonly string[];
  trust: Trust;
}

/** Tasks that a task's agent has made. Every id is looked for among those of this parent. */
export interface Subtasks {
  find(parent: TaskFacts, taskId: string): Promise<TaskStatus | null>;
  /** Makes it once, however often it is called; `null`, or why it cannot be made in words for a model. */
  create(parent: TaskFacts, taskId: string, request: SubtaskRequest): Promise<string | null>;
  readResult(parent: TaskFacts, taskId: string): Promise<SubtaskResult>;
}

/** What the configuration of one task stands for at the moment. */
export interface TaskTools {
  skills: TaskSkills;
  /** Tools of the task's connectors, each with a fingerprint that changes when its server changes it. */
  connectorTools: readonly { tool: Tool; hash: string }[];
}

/** What a step works with: the same for all steps until something of it changes. */
export interface StepTools {
  skills: TaskSkills;
  /** The tools that every task has, and those of the task's connectors. */
  toolbox: Toolbox;
}

/** Keeps a picture as models are shown it; null for a file that cannot be. The blob is durable when it resolves. */
export type ShowPicture = (
  accountId: string,
  picture: Uint8Array,
  signal: AbortSignal,
) => Promise<{ blobId: string; bytes: number } | null>;

/** Everything the agent reaches outside of itself. */
export interface AgentPorts {
  modelFor(profile: string): Model;
  workspaceOf(task: TaskFacts): Workspace;
  openAttachment: OpenAttachment;
  images: ShownImages;
  showPicture: ShowPicture;
  /** What listens to voice messages; null where nothing does. */
  transcriber: Transcriber | null;
  /** The tools that every task has. */
  toolbox: Toolbox;
  /** What this task works with beside them. */
  taskTools(task: TaskFacts, taskConfig: TaskConfig): Promise<TaskTools>;
  budget: TaskBudget;
  deltas: DeltaSink;
  clock: Clock;
  /** Absent where agents make no subtasks. */
  subtasks?: Subtasks;
  /** A number from 0 to 1, for spreading retries. */
  chance(): number;
}

/** Where the task's files are while it is in hand. */
export interface RunWorkspace {
  /** To be called before tools run; `new` when files that were put there before may be missing. */
  ready(): Promise<'kept' | 'new'>;
}

/** One task in hand. */
export interface Turn {
  task: TaskFacts;
  journal: Journal;
  ports: AgentPorts;
  workspace: RunWorkspace;
  stepTools: StepTools;
}
