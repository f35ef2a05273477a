import type { LeftOutFiles } from '../../rules/events/left-out-files.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import type { WorkspaceKeeper, WorkspaceState } from './workspace-keeper.ts';

/** `hasWorkspaceSave`: whether there was a copy of the workspace when the task was claimed. */
type WorkspaceLease = Lease & { hasWorkspaceSave: boolean };

/** The workspace of one task during one run: prepared before the first tool, saved if tools may have changed it. */
export class LeasedWorkspace {
  readonly #lease: WorkspaceLease;
  readonly #keeper: WorkspaceKeeper | null;
  #isReady = false;
  #isChanged = false;
  #hasReported = false;

  constructor(lease: WorkspaceLease, keeper: WorkspaceKeeper | null) {
    this.#lease = lease;
    this.#keeper = keeper;
  }

  /** Called before tools run; `new` if previously placed files may be missing. */
  async ready(): Promise<WorkspaceState> {
    if (this.#keeper === null) return 'kept';
    const state = this.#isReady ? 'kept' : await this.#keeper.restore(this.#lease, this.#lease.hasWorkspaceSave);
    this.#isReady = true;
    this.#isChanged = true;
    return state;
  }

  async reportLeftOut(report: (leftOut: LeftOutFiles) => Promise<void>): Promise<void> {
    if (this.#hasReported) return;
    await this.#keeper?.reportLeftOut(this.#lease, report);
    this.#hasReported = true;
  }

  /** Saves the workspace, unless another worker has claimed the task. */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    await this.#keeper?.save(this.#lease);
  }
}
