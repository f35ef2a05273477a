import type { Blobs } from '../../store/blobs/blobs.ts';
import { measureWorkspace } from '@errand/sandbox/workspace-size';
import type { WorkspaceOwner, Workspaces } from '@errand/sandbox/workspaces';
import { reconcileStorageUse, recordWorkspaceUse } from '../../store/blobs/storage-use.ts';
import type { Database } from '../../store/db/database.ts';

export interface ReconciliationParts {
  database: Database;
  workspaces: Workspaces;
  blobs: Pick<Blobs, 'measure'>;
}

/** The workspace of a task is gone. */
export async function releaseWorkspaceUse(database: Database, { accountId, taskId }: WorkspaceOwner): Promise<void> {
  await database.run(recordWorkspaceUse, { accountId, taskId, bytes: 0, files: 0 });
}

/** Corrects what accounts are counted to store by what is there: their blobs, and the workspaces on this machine. */
export async function reconcileStorage(
  { database, workspaces, blobs }: ReconciliationParts,
  owners: readonly WorkspaceOwner[],
  isGoingOn: () => boolean,
): Promise<void> {
  for (const { accountId, taskId } of owners) {
    if (!isGoingOn()) return;
    const use = await measureWorkspace(workspaces.open(accountId, taskId).root);
    if (use) await database.run(recordWorkspaceUse, { accountId, taskId, bytes: use.bytes, files: use.entries });
  }
  while (isGoingOn() && (await blobs.measure()) > 0);
  for (let after: string | null = ''; after !== null && isGoingOn(); ) {
    after = await database.run(reconcileStorageUse, { after });
  }
}
