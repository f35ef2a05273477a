import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { Worker } from '@errand/base/worker.ts';
import type { WorkspacePacking, WorkspacePackingParts } from './workspace-packing.ts';

const everyMs = 60 * 60_000;
/** What starts has more urgent work at first. */
const startDelayMs = 5000;

export interface WorkspacePackerParts extends Omit<WorkspacePackingParts, 'quietMs'> {
  clock: Clock;
  log: Log;
  /** Null to pack none. */
  quietMs: number | null;
}

/** Packs the workspaces of quiet tasks on this machine, once an hour. Its code is loaded by the first round. */
export class WorkspacePacker extends Worker {
  readonly #parts: WorkspacePackerParts;
  #packing: WorkspacePacking | null = null;
  #hasWaited = false;

  constructor(parts: WorkspacePackerParts) {
    const { clock, log } = parts;
    const failure = 'workspaces could not be packed; it is tried again';
    super({ name: 'workspace-packer', clock, log, pollMs: everyMs, failure });
    this.#parts = parts;
  }

  protected async work(): Promise<boolean> {
    const { quietMs, log } = this.#parts;
    if (quietMs === null) return false;
    if (!this.#hasWaited) {
      this.#hasWaited = true;
      this.wakeIn(startDelayMs);
      return false;
    }
    const { WorkspacePacking: Packing } = await import('./workspace-packing.ts');
    this.#packing ??= new Packing({ ...this.#parts, quietMs });
    const packed = await this.#packing.run(this.signal);
    if (packed > 0) log.info({ packed }, 'workspaces of quiet tasks were packed');
    return false;
  }
}
