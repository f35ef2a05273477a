import { Fault } from '@errand/base/fault.ts';
import type { Attachment } from '../../rules/events/task-event.ts';
import type { Database } from '../../store/db/database.ts';
import { type FiredTrigger, fireTrigger } from '../../store/triggers/fire-trigger.ts';
import { recordTriggerEvent, type TriggerOutcome } from '../../store/triggers/trigger-events.ts';
import type { Trigger } from '../../store/triggers/trigger-row.ts';
import type { FoundTrigger } from '../../store/triggers/triggers.ts';
import type { Context } from '../contract/operation.ts';
import { describeDelivery, planFiring, type TriggerDelivery } from './trigger-firing.ts';

export interface DeliveryPorts {
  /** The context of the trigger's account. */
  context: Context;
  run: Database['run'];
  /** Counts a task that is about to start; throws if the account has started too many. */
  countStart(): void | Promise<void>;
}

/** What the ways into triggers besides HTTP need. */
export interface TriggerAccess {
  /** Counts what is sent to a trigger; rejects with `resource_exhausted` if that is too much. */
  count(trigger: FoundTrigger): Promise<void>;
  /** Acts for the account of the trigger, for a sender whose signal says that it has gone. */
  open(trigger: FoundTrigger, signal: AbortSignal): DeliveryPorts;
}

/** A sender is told whether to try again, but nothing of the account. */
function concealFault(fault: Fault): Fault {
  if (fault.status >= 500) return fault;
  const isBusy = fault.code === 'resource_exhausted';
  const problem = 'The task was not started; the owner of this trigger sees the reason in its deliveries.';
  const { retryAfterS } = fault;
  return new Fault(isBusy ? fault.code : 'failed_precondition', problem, {
    cause: fault,
    ...(retryAfterS !== undefined && { retryAfterS }),
  });
}

/** Records why a delivery has started nothing; a body is kept only of a proven sender. */
export function recordEnd(
  trigger: Trigger,
  delivery: TriggerDelivery,
  { context, run }: DeliveryPorts,
  { outcome, problem }: { outcome: TriggerOutcome; problem: string | null },
): Promise<null> {
  const event = describeDelivery(trigger, delivery, [], context.now);
  const body = outcome === 'refused' ? null : event.body;
  return run(recordTriggerEvent, {
    ...event,
    ...{ accountId: trigger.accountId, triggerId: trigger.id, outcome, taskId: null, problem, body },
  });
}

/**
 * Starts the task of what a sender has sent, or finds that it was started before. Records why neither is possible.
 * @param takeFiles stores the files that came with it
 * @param isRetried whether what failed so is tried again without the sender; then it is no delivery yet
 */
export async function startFrom(
  trigger: Trigger,
  delivery: TriggerDelivery,
  ports: DeliveryPorts,
  takeFiles: () => Promise<Attachment[]> = () => Promise.resolve([]),
  isRetried: (fault: Fault) => boolean = () => false,
): Promise<FiredTrigger> {
  let attachments: Attachment[] = [];
  try {
    await ports.countStart();
    attachments = await takeFiles();
    return await ports.run(fireTrigger, await planFiring(trigger, { ...delivery, attachments }, ports.context));
  } catch (error) {
    // Stored anew by the next attempt, which may come every minute.
    const { blobs } = ports.context.intake;
    for (const { blobId } of attachments) await blobs.deleteUnused(trigger.accountId, blobId).catch(() => undefined);
    if (!(error instanceof Fault)) throw error;
    if (!isRetried(error)) await recordEnd(trigger, delivery, ports, { outcome: 'failed', problem: error.message });
    throw concealFault(error);
  }
}
