import type { Lease } from '../../store/tasks/task-leases.ts';
import type { WorkspaceState } from './workspace-keeper.ts';

/** Sees to it that a run finds the files of its task, and that the next one does. */
export interface RunKeeper {
  restore(lease: Lease): Promise<WorkspaceState>;
  save(lease: Lease): Promise<void>;
}

/** The workspace of one task during one run: prepared before the first tool, saved if tools may have changed it. */
export class LeasedWorkspace {
  readonly #lease: Lease;
  readonly #keeper: RunKeeper | null;
  #isReady = false;
  #isChanged = false;

  constructor(lease: Lease, keeper: RunKeeper | null) {
    this.#lease = lease;
    this.#keeper = keeper;
  }

  /** Called before tools run; `new` if previously placed files may be missing. */
  async ready(): Promise<WorkspaceState> {
    if (this.#keeper === null) return 'kept';
    const state = this.#isReady ? 'kept' : await this.#keeper.restore(this.#lease);
    this.#isReady = true;
    this.#isChanged = true;
    return state;
  }

  /** Only while no other worker has claimed the task. */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    await this.#keeper?.save(this.#lease);
  }
}
