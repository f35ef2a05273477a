import type { Clock } from '../base/clock.ts';
import type { DeltaSink } from '../base/deltas.ts';
import type { Model } from '../models/model.ts';
import type { Workspace } from '../sandbox/workspace.ts';
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

/** Everything the agent reaches outside of itself. */
export interface AgentPorts {
  modelFor(profile: string): Model;
  workspaceOf(task: TaskFacts): Workspace;
  openAttachment: OpenAttachment;
  images: ShownImages;
  toolbox: Toolbox;
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
}
