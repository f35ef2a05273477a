import type { Database, IdempotencyKey, Remembered } from '../../store/db/database.ts';
import type { StoreOperation } from '../../store/db/store-operation.ts';
import { type ClaimedTask, claimOf } from '../../store/tasks/claims/task-claims.ts';
import type { CreationSlot } from '../../store/tasks/task-row.ts';
import { createTask, type CreatedTask, type CreateTaskArgs } from '../../store/tasks/tasks.ts';

/** A slot that is reserved for a task while the task is created. */
export interface KeptSlot extends CreationSlot {
  /** Gives the slot to the task created with it; null if there is none, or the task has to wait in the queue. */
  settle(task: ClaimedTask | null): void;
}

/** A worker with slots for new tasks. */
export interface SlotKeeper {
  /** Reserves a slot; null if a new task of this account has to wait in the queue. */
  keepSlot(accountId: string): KeptSlot | null;
}

/** The worker of this process; none in a process that only answers requests. */
export class CreationSlots {
  #keeper: SlotKeeper | null = null;

  open(keeper: SlotKeeper): void {
    this.#keeper = keeper;
  }

  keepSlot(accountId: string): KeptSlot | null {
    return this.#keeper?.keepSlot(accountId) ?? null;
  }
}

/** Whether the task was created now, rather than for an earlier request with the same key. */
type Created = Pick<Remembered<CreatedTask>, 'isReplay' | 'result'>;

async function createIn(slot: KeptSlot, args: CreateTaskArgs, create: (args: CreateTaskArgs) => Promise<Created>) {
  let task: ClaimedTask | null = null;
  try {
    const { workerId, ttlMs, isTraced } = slot;
    const created = await create({ ...args, slot: { workerId, ttlMs, isTraced } });
    const { claimedFor } = created.result;
    if (!created.isReplay && claimedFor !== null) task = claimOf(args, claimedFor);
    return created;
  } finally {
    // If it is unknown whether the task was created, its lease ends like that of a claim whose answer was lost.
    slot.settle(task);
  }
}

/**
 * The store of a process whose worker takes the tasks that are created here: with a free slot, the transaction that creates a task also claims
 * it (docs/internals/decisions/0072-a-task-alone-takes-two-commits.md).
 */
export function claimWhenCreated(database: Database, slots: CreationSlots): Database {
  const findSlot = (operation: { name: string }, args: unknown): KeptSlot | null =>
    operation.name === createTask.name ? slots.keepSlot((args as CreateTaskArgs).accountId) : null;
  return {
    hints: database.hints,
    deltas: database.deltas,
    async run<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
      const slot = findSlot(operation, args);
      if (!slot) return database.run(operation, args);
      const create = async (placed: CreateTaskArgs) => ({ result: await database.run(createTask, placed), isReplay: false });
      return (await createIn(slot, args as CreateTaskArgs, create)).result as Result;
    },
    async runOnce<Args, Result>(operation: StoreOperation<Args, Result>, args: Args, key: IdempotencyKey) {
      const slot = findSlot(operation, args);
      if (!slot) return database.runOnce(operation, args, key);
      const create = (placed: CreateTaskArgs) => database.runOnce(createTask, placed, key);
      return (await createIn(slot, args as CreateTaskArgs, create)) as Remembered<Result>;
    },
    close: () => database.close(),
  };
}
