import { basename, dirname } from 'node:path';
import { platform } from 'node:process';
import { HeldFolder } from '../workspace/held-folder.ts';
import { systemErrorCode } from '../workspace/file-fault.ts';
import { type DiskUse, measureFolder } from './disk-usage.ts';

/** Opens the folder of a workspace, which a command may have locked. */
async function hold(root: string): Promise<HeldFolder> {
  try {
    return await HeldFolder.hold(root);
  } catch (error) {
    if (systemErrorCode(error) !== 'EACCES') throw error;
    await using parent = await HeldFolder.hold(dirname(root));
    await parent.unlock(basename(root));
    return await parent.enter(basename(root));
  }
}

/** What the files of a workspace take, measured in short steps; null on systems that cannot measure it. */
export async function measureWorkspace(root: string): Promise<DiskUse | null> {
  if (platform !== 'linux') return null;
  try {
    await using folder = await hold(root);
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
