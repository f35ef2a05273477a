import { rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../base/fault.ts';
import { systemErrorCode } from './file-fault.ts';
import { emptyFolder } from './folder-removal.ts';
import { HeldFolder } from './held-folder.ts';
import { openWorkspace, type WorkspaceOptions } from './workspace-folder.ts';
import type { Workspace } from './workspace.ts';

/** The workspaces of all tasks, one folder each: `<data>/workspaces/<account>/<task>`. */
export interface Workspaces {
  open(accountId: string, taskId: string): Workspace;
  /** Removes a task's workspace for good; nothing happens when there is none. No tool of the task may be running any more. */
  remove(accountId: string, taskId: string): Promise<void>;
}

const safeId = /^[0-9A-Za-z_-]{1,64}$/;

/** Ids come from the store, not from callers; one that is no plain name means a bug, and must not become a path. */
function checkId(id: string): string {
  if (!safeId.test(id)) throw new Fault('internal', 'The workspace cannot be opened.', { detail: `unsafe id ${JSON.stringify(id)}` });
  return id;
}

export function createWorkspaces(dataDir: string, options: WorkspaceOptions = {}): Workspaces {
  const top = resolve(dataDir, 'workspaces');
  return {
    open: (accountId, taskId) => openWorkspace(join(top, checkId(accountId), checkId(taskId)), options),

    async remove(accountId, taskId) {
      checkId(taskId);
      try {
        await using account = await HeldFolder.hold(join(top, checkId(accountId)), options.reach);
        await account.unlock(taskId);
        {
          await using task = await account.enter(taskId);
          await emptyFolder(task);
        }
        await rmdir(account.at(taskId));
      } catch (error) {
        if (systemErrorCode(error) !== 'ENOENT') throw error;
      }
    },
  };
}
