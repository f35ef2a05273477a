import { statfs } from 'node:fs/promises';
import { describeMemoryLimit, type SandboxAvailability } from '@errand/sandbox';
import type { WorkerMachine } from '../../store/tasks/workers/workers.ts';

/** Reads facts about a worker's machine: the free space of its data folder, and its sandbox. */
export function createMachineReader(dataDir: string, availability: SandboxAvailability): () => Promise<WorkerMachine> {
  const hasSandbox = availability.sandbox !== null;
  const sandbox = availability.sandbox === null ? availability.reason : describeMemoryLimit(availability.memoryLimit);
  return async () => {
    const space = await statfs(dataDir).catch(() => null);
    return {
      diskFreeBytes: space && space.bavail * space.bsize,
      diskTotalBytes: space && space.blocks * space.bsize,
      hasSandbox,
      sandbox,
    };
  };
}
