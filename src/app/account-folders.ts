import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '@errand/base/ids.ts';
import type { Workspaces } from '@errand/sandbox/workspaces';
import type { AccountFolders } from '../work/accounts/account-deletions.ts';

export interface AccountFoldersParts {
  dataDir: string;
  instanceId: string;
  workspaces: Workspaces;
}

/** The folders of accounts under `<data folder>/<kind>/<instance>/<account>`, and pages of files that were converted. */
export function createAccountFolders({ dataDir, instanceId, workspaces }: AccountFoldersParts): AccountFolders {
  const pages = join(dataDir, 'pages', instanceId);
  return {
    async remove(accountId) {
      if (!isId(accountId)) return;
      for (const owner of await workspaces.list()) {
        if (owner.accountId === accountId) await workspaces.remove(accountId, owner.taskId);
      }
      for (const kind of ['workspaces', 'connectors', 'memory', 'setups', 'blobs']) {
        await rm(join(dataDir, kind, instanceId, accountId), { recursive: true, force: true });
      }
      const names = await readdir(pages).catch(() => []);
      for (const name of names) if (name.startsWith(`${accountId}.`)) await rm(join(pages, name), { force: true });
    },
  };
}
