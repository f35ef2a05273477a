import { platform } from 'node:process';
import { HeldFolder } from '../workspace/held-folder.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type DiskUse, measureFolder } from './disk-usage.ts';

/** What the files of a workspace take, measured in short steps; null on systems that cannot measure it. */
export async function measureWorkspace(root: string): Promise<DiskUse | null> {
  if (platform !== 'linux') return null;
  try {
    await using folder = await HeldFolder.hold(root);
    const steps = measureFolder(folder.descriptor, Number.POSITIVE_INFINITY);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      await new Promise((goOn) => setImmediate(goOn));
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { bytes: 0, entries: 0 };
    throw error;
  }
}

/** Measures a workspace for its quota, which quick work exceeds between two looks of the watch; false if it is too large. */
export async function finishWithinQuota({ root, quota }: Pick<Workspace, 'root' | 'quota'>): Promise<boolean> {
  if (!quota) return true;
  const use = await measureWorkspace(root);
  const isAllowed = use === null || quota.allows(use);
  await quota.finish();
  return isAllowed;
}
