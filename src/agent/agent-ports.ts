import type { AwaitedFile, FileFetched } from '../rules/events/awaited-file.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { DeltaSink } from '@errand/base/signals/deltas.ts';
import type { TurnLimits } from '../rules/tasks/turn-limits.ts';
import type { RepeatReason, TaskConfig, TaskStatus } from '../rules/events/task-event.ts';
import type { Taint, Trust } from '../rules/egress/trust.ts';
import type { MemoryScope } from '../rules/memory/memory-scope.ts';
import type { PlacedState } from '../rules/rows/row-work.ts';
import type { Brand } from '../rules/brands/brand.ts';
import type { Policy } from '../rules/policies/policy.ts';
import type { Model } from '../models/model.ts';
import type { PictureModel } from '../models/pictures/picture-model.ts';
import type { Transcriber } from '../models/speech/transcriber.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import type { TaskBrand } from '../tools/brands/task-brand.ts';
import { TaskResources } from '../tools/toolbox/task-resources.ts';
import type { PreparedLayer, TaskSkills, Tool } from '../tools/toolbox/tool.ts';
import type { Toolbox } from '../tools/toolbox/toolbox.ts';
import type { LeftOutFiles } from '../rules/events/left-out-files.ts';
import type { Journal } from './journal.ts';
import type { ResourcePool } from './slots/resource-pool.ts';
import type { OpenAttachment, ShownImages } from './shown-images.ts';

export { TaskResources };

/** What the agent knows about a task, besides its log. */
export interface TaskFacts {
  accountId: string;
  taskId: string;
  isInteractive: boolean;
  profile: string;
  locale: string;
  /** The number of the task's ancestors. */
  depth: number;
  /** Whether its account had a brand of any kind when the task was claimed; absent if that is unknown. */
  hasBrands?: boolean;
  /** Whether its account was in a team when the task was claimed; absent if that is unknown. */
  hasTeams?: boolean;
  /** How the previous worker's run ended. */
  lastEnd?: RepeatReason;
  /** The span that created the task; null for none. */
  traceparent?: string | null;
}

/** The input of a new subtask. */
export interface SubtaskRequest {
  title: string;
  instructions: string;
  /** The parent's taints, and the hosts that its user has named. */
  inherited: Trust;
  /** The parent's task config: a subtask may do no more than its parent. */
  taskConfig: TaskConfig;
  /** The span of the call that creates it; null for none. */
  traceparent: string | null;
}

/** The outcome of a subtask. */
export interface SubtaskResult {
  status: TaskStatus;
  /** The last message of the subtask, or why it ended. */
  text: string;
  /** Paths of the files that the subtask returned as results. */
  delivered: readonly string[];
  trust: Trust;
}

/** Subtasks of one task. Every ID is looked up among those of this parent. */
export interface Subtasks {
  find(parent: TaskFacts, taskId: string): Promise<TaskStatus | null>;
  /** Idempotent; returns null, or the reason for a refusal in words for a model. */
  create(parent: TaskFacts, taskId: string, request: SubtaskRequest): Promise<string | null>;
  readResult(parent: TaskFacts, taskId: string): Promise<SubtaskResult>;
}

/** What the configuration of one task currently resolves to. */
export interface TaskTools {
  skills: TaskSkills;
  /** Tools of the task's connectors, each with a fingerprint that changes when its server changes it. */
  connectorTools: readonly { tool: Tool; hash: string }[];
}

/** The tools of a step: the same object for all steps until something changes. */
export interface StepTools {
  skills: TaskSkills;
  /** The tools that every task has, and those of the task's connectors. */
  toolbox: Toolbox;
  /** What the prompt says about the task's memory; null without one. */
  memory?: string | null;
  /** The brand that results must follow; null without one. */
  brand?: TaskBrand | null;
}

/** Stores a picture in the form that models receive; null for a file that cannot be shown. The blob is durable when it resolves. */
export type ShowPicture = (
  accountId: string,
  picture: Uint8Array,
  signal: AbortSignal,
) => Promise<{ blobId: string; bytes: number } | null>;

/** A fetched file, or what is wrong with it. */
export type FetchResult = Pick<FileFetched, 'attachment' | 'problem'>;

/** Everything the agent reaches outside its module. */
export interface AgentPorts {
  /** The model of a task: with a key of its account, otherwise that of the service. Only after `settleModels` for this run. */
  modelFor(task: TaskFacts): Model;
  /** Waits until `modelFor` returns the models that are set now. */
  settleModels(task: TaskFacts): Promise<void>;
  workspaceOf(task: TaskFacts): Workspace;
  openAttachment: OpenAttachment;
  /** Fetches and stores a file that a message waits for, or says why not. Rejects with the reason of the signal. */
  fetchFile(accountId: string, file: AwaitedFile, signal: AbortSignal): Promise<FetchResult>;
  images: ShownImages;
  showPicture: ShowPicture;
  /** The current transcriber of recordings of a task; null without a speech model. After `settleModels`, as `modelFor`. */
  findTranscriber(task: TaskFacts): Transcriber | null;
  /** The current maker of pictures of a task; null without an image model. After `settleModels`, as `modelFor`. */
  findPictureModel(task: TaskFacts): PictureModel | null;
  /** Stores what an image model sent. The blob is durable when it resolves. */
  keepPicture(accountId: string, bytes: Uint8Array): Promise<{ blobId: string; bytes: number }>;
  /** The tools that every task has. */
  toolbox: Toolbox;
  /** The additional tools of this task. */
  taskTools(task: TaskFacts, taskConfig: TaskConfig): Promise<TaskTools>;
  /** The policies that apply to the task's next call. */
  policiesOf(task: TaskFacts, projectId: string | null): Promise<readonly Policy[]>;
  /** The current brand of the task's project or account; null for none. Absent if there are no brands. */
  brandOf?(task: TaskFacts, projectId: string | null): Promise<{ facts: Brand; updatedAtMs: number } | null>;
  budget: TurnLimits;
  deltas: DeltaSink;
  clock: Clock;
  log: Log;
  /** Slots for tool calls. A task that only waits, for a model or a person, takes none. */
  toolSlots: FairGate;
  /** The resources that tasks keep open between tool calls. */
  resourcePool: ResourcePool;
  /** Slots for calls about rows of tables. */
  rowSlots: FairGate;
  /** Absent if agents cannot create subtasks. */
  subtasks?: Subtasks;
  /** A number from 0 to 1, for spreading retries. */
  chance(): number;
  /** Whether tasks are exported as traces. */
  isTraced?: boolean;
}

/** The task's files during a run. */
export interface RunWorkspace {
  /** Prepares the workspace before tools run. `new` means that files placed earlier may be missing. */
  ready(): Promise<'kept' | 'new'>;
  /** Reports the files that the workspace has lacked since it was restored. Once `report` has resolved, they count as reported. */
  reportLeftOut?(report: (leftOut: LeftOutFiles) => Promise<void>): Promise<void>;
}

/** What a task's memory holds. */
export interface MemoryFacts {
  scopes: readonly MemoryScope[];
  files: readonly { path: string; bytes: number; isUntrusted: boolean }[];
}

/** The memory of a task while one of its calls runs. */
export interface MemoryUse {
  /** The workspace with the memory at /memory. */
  workspace: Workspace;
  /** Copies the current files for a command; returns the folder to mount at /memory. */
  mount(): Promise<string>;
  /** The taints of what the call may have read from memory so far. */
  taints(): readonly Taint[];
  /** Saves what the call has changed, together with what the task had seen at that time; returns what the model must be told. */
  save(trust: Trust): Promise<string[]>;
}

/** The task's memory during a run. */
export interface RunMemory {
  describe(): Promise<MemoryFacts | null>;
  /**
   * Begins a use of the memory; null if the task has none.
   * @param trust what the task has read so far, for what was written between its calls
   */
  use(workspace: Workspace, trust: () => Trust): MemoryUse | null;
}

/** The output of the setup script of the task's project, during a run. */
export interface RunSetup {
  /**
   * Waits until the script has run; null if it produced nothing. The result stays the same for the run.
   * @param report tells readers that it runs
   */
  mount(signal: AbortSignal, report: (text: string) => void): Promise<PreparedLayer | null>;
  /** What the model must be told about the setup script; returned once. */
  takeNotes(): string[];
}

/** What models have answered about the rows of a task's tables. Every write proves the lease; it rejects with `LeaseLost` without one. */
export interface RunRows {
  /** The stored states of a job. Rows that failed in an earlier call are open again. */
  open(job: string, callId: string): Promise<PlacedState[]>;
  /** Stores states durably. `cost` is that of their calls; it is charged if the wave in progress never ends. */
  save(job: string, callId: string, states: readonly PlacedState[], cost: number): Promise<void>;
}

/** One task during a run. */
export interface TaskRun {
  task: TaskFacts;
  journal: Journal;
  ports: AgentPorts;
  workspace: RunWorkspace;
  memory?: RunMemory | null;
  setup?: RunSetup | null;
  rows: RunRows;
  /** What tools keep between calls. */
  resources: TaskResources;
  stepTools: StepTools;
}
