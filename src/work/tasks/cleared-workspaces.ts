import { mainTaskId } from '../../rules/agents/default-agent.ts';
import { clearFolder } from '../instance/clear-folder.ts';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { Database } from '../../store/db/database.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import { findWorkspaceSave, isCleared } from '../../store/tasks/workspace-saves.ts';
import type { WorkspaceState } from './workspace-keeper.ts';

/** The keeper of workspaces that never leave this machine: it only sees to it that no run finds files of an emptied task. */
export class ClearedWorkspaces {
  readonly #database: Database;
  readonly #workspaces: Workspaces;

  constructor(database: Database, workspaces: Workspaces) {
    this.#database = database;
    this.#workspaces = workspaces;
  }

  async restore({ accountId, taskId }: Pick<Lease, 'accountId' | 'taskId'>): Promise<WorkspaceState> {
    // No other task is ever emptied.
    if (taskId !== mainTaskId(accountId)) return 'kept';
    const save = await this.#database.run(findWorkspaceSave, { accountId, taskId });
    if (save === null || !isCleared(save)) return 'kept';
    if ((await this.#workspaces.generation(accountId, taskId)) === save.generation) return 'kept';
    await clearFolder(this.#workspaces, accountId, taskId, save.generation);
    return 'new';
  }

  save(): Promise<void> {
    return Promise.resolve();
  }
}
