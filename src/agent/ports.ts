import type { Clock } from '../base/clock.ts';
import type { DeltaSink } from '../base/deltas.ts';
import type { Model } from '../models/model.ts';
import type { Equipment } from '../rules/task-event.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import type { TaskSkills } from '../tools/task-skills.ts';
import type { Tool } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Journal } from './journal.ts';
import type { OpenAttachment, ShownImages } from './shown-images.ts';

/** What the agent needs to know of a task besides its log. */
export interface TaskFacts {
  accountId: string;
  taskId: string;
  isInteractive: boolean;
  profile: string;
  locale: string;
}

/** What one task works with beside what all have. */
export interface Outfit {
  skills: TaskSkills;
  /** Tools of the connectors that the task uses, each with what tells whether its server changed it. */
  connectorTools: readonly { tool: Tool; hash: string }[];
}

/** The same for all steps until something of it changes. */
export interface Gear extends Outfit {
  toolbox: Toolbox;
}

/** Everything the agent reaches outside of itself. */
export interface AgentPorts {
  modelFor(profile: string): Model;
  workspaceOf(task: TaskFacts): Workspace;
  openAttachment: OpenAttachment;
  images: ShownImages;
  /** The tools that every task has. */
  toolbox: Toolbox;
  /** What this task works with beside them. */
  outfit(task: TaskFacts, equipment: Equipment): Promise<Outfit>;
  deltas: DeltaSink;
  clock: Clock;
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
  gear: Gear;
}
