import { Fault } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { measureWorkspace } from '@errand/sandbox/workspace-size';
import type { WorkspaceOwner, Workspaces } from '@errand/sandbox/workspaces';
import { correctStorageUse, deleteOrphanedUse, findNextAccount, measureDrift } from '../../store/blobs/storage-drift.ts';
import { readWorkspaceUse, recordWorkspaceUse } from '../../store/blobs/storage-use.ts';
import type { Database } from '../../store/db/database.ts';
import { findExistingTasks } from '../../store/tasks/missing-tasks.ts';
import { findWorkspaceSave } from '../../store/tasks/workspace-saves.ts';

export interface ReconciliationParts {
  database: Database;
  workspaces: Workspaces;
  blobs: Pick<Blobs, 'measure'>;
  log: Log;
}

/** The workspace of a task is gone. */
export async function releaseWorkspaceUse(database: Database, { accountId, taskId }: WorkspaceOwner): Promise<void> {
  // A deleted account has no count, and none may be created for it.
  const { workspace } = await database.run(readWorkspaceUse, { accountId, taskId });
  if (workspace.bytes > 0 || workspace.files > 0)
    await database.run(recordWorkspaceUse, { accountId, taskId, bytes: 0, files: 0 });
}

/** A workspace that cannot be measured must not keep the others from it. */
async function measureAgain({ database, workspaces, log }: ReconciliationParts, owner: WorkspaceOwner): Promise<void> {
  const { accountId, taskId } = owner;
  try {
    // The archive of a packed workspace counts; its folder is about to be removed.
    const save = await database.run(findWorkspaceSave, { accountId, taskId });
    if (save !== null && save.packedBytes !== null) return;
    const use = await measureWorkspace(workspaces.open(accountId, taskId).root);
    if (use) await database.run(recordWorkspaceUse, { accountId, taskId, bytes: use.bytes, files: use.entries });
  } catch (error) {
    log.warn({ err: error, task_id: taskId }, 'a workspace could not be measured; it is tried again later');
  }
}

/** Workspaces that are looked at in one transaction. */
const workspacesAtOnce = 1000;

interface CountedAccount {
  accountId: string;
  /** Whether summing it up takes long, so that it has to wait for a slot, and may be refused. */
  isLarge: boolean;
}

/** Corrects the counters of an account. One that cannot be summed up now must not keep the others from it. */
async function reconcileAccount(
  { database, log }: Pick<ReconciliationParts, 'database' | 'log'>,
  account: CountedAccount,
  isGoingOn: () => boolean,
): Promise<void> {
  const { accountId } = account;
  for (let after: string | null = ''; after !== null; ) {
    if (!isGoingOn()) return;
    after = await database.run(deleteOrphanedUse, { accountId, after, limit: workspacesAtOnce });
  }
  try {
    const measured = await database.run(measureDrift, account);
    if (Object.values(measured.drift).some(({ bytes, files }) => bytes !== 0 || files !== 0)) {
      await database.run(correctStorageUse, { accountId, ...measured });
    }
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'unavailable')) throw error;
    log.warn({ err: error, account_id: accountId }, 'the storage of an account could not be summed up; it is tried again later');
  }
}

/** Corrects the counters of all accounts to what is stored. */
export async function reconcileCounters(
  parts: Pick<ReconciliationParts, 'database' | 'log'>,
  isGoingOn: () => boolean,
): Promise<void> {
  for (let after: string | null = ''; after !== null && isGoingOn(); ) {
    const account: CountedAccount | null = await parts.database.run(findNextAccount, { after });
    if (account) await reconcileAccount(parts, account, isGoingOn);
    after = account?.accountId ?? null;
  }
}

/** Corrects the recorded storage of accounts by what exists: their blobs, and the workspaces on this machine. */
export async function reconcileStorage(
  parts: ReconciliationParts,
  owners: readonly WorkspaceOwner[],
  isGoingOn: () => boolean,
): Promise<void> {
  const { database, blobs } = parts;
  for (const owner of owners) {
    if (!isGoingOn()) return;
    // Before it is measured: an import unpacks folders before their tasks exist, and counts them itself.
    if ((await database.run(findExistingTasks, [owner])).length > 0) await measureAgain(parts, owner);
  }
  while (isGoingOn() && (await blobs.measure()) > 0);
  await reconcileCounters(parts, isGoingOn);
}
