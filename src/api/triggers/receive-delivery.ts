import { Fault } from '@errand/base/fault.ts';
import { readPayload } from '../../rules/triggers/payload.ts';
import { meetsFilters } from '../../rules/triggers/payload-rules.ts';
import { judgeSender, readHeader, type RequestHeaders } from '../../rules/triggers/sender-verification.ts';
import type { Database } from '../../store/db/database.ts';
import { fireTrigger, triggerPaused } from '../../store/triggers/fire-trigger.ts';
import { recordTriggerEvent, type TriggerOutcome } from '../../store/triggers/trigger-events.ts';
import type { Trigger } from '../../store/triggers/trigger-row.ts';
import type { Context } from '../contract/operation.ts';
import { describeDelivery, planFiring, type TriggerDelivery } from './trigger-firing.ts';

/** A request at the URL of a trigger. */
export interface IncomingRequest {
  headers: RequestHeaders;
  body: Buffer;
}

export interface DeliveryPorts {
  /** On behalf of the trigger's account. */
  context: Context;
  run: Database['run'];
  /** Counts a task that is about to start; throws if the account has started too many. */
  countStart(): void | Promise<void>;
}

export interface DeliveryAnswer {
  status: 200 | 202;
  body: { task_id?: string; duplicate?: true; filtered?: true };
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
function recordEnd(
  trigger: Trigger,
  delivery: TriggerDelivery,
  { context, run }: DeliveryPorts,
  { outcome, problem, notes = [] }: { outcome: TriggerOutcome; problem: string | null; notes?: string[] },
): Promise<null> {
  const event = describeDelivery(trigger, delivery, notes, context.now);
  const body = outcome === 'refused' ? null : event.body;
  return run(recordTriggerEvent, {
    ...event,
    ...{ accountId: trigger.accountId, triggerId: trigger.id, outcome, taskId: null, problem, body },
  });
}

const nothingRead = { text: '', document: undefined };

/** Records a request that was refused for this reason before its body was read. */
export async function recordRefusal(
  trigger: Trigger,
  headers: RequestHeaders,
  problem: string,
  ports: DeliveryPorts,
): Promise<void> {
  const delivery: TriggerDelivery = { cause: 'delivery', headers, payload: nothingRead, bodyBytes: 0 };
  await recordEnd(trigger, delivery, ports, { outcome: 'refused', problem });
}

/** What is wrong with the sender or the body of a request; a fault is thrown for the sender to read. */
function readDelivery(trigger: Trigger, { headers, body }: IncomingRequest, { triggerSecrets, now }: Context): TriggerDelivery {
  const { id, status, verification: type, sealedSecret, header } = trigger;
  const secret = sealedSecret === null ? '' : triggerSecrets.open(id, 'secret', sealedSecret);
  const forged = judgeSender({ type, secret, header: header ?? '' }, { headers, body, nowMs: now });
  if (forged !== null) throw new Fault('unauthenticated', `The request was not accepted: ${forged}.`);
  if (status !== 'active') throw triggerPaused();
  const payload = readPayload(body, readHeader(headers, 'content-type'));
  return { cause: 'delivery', headers, payload, bodyBytes: body.length };
}

/** GitHub sends one when its webhook is set up. */
function isPing({ verification }: Trigger, headers: RequestHeaders): boolean {
  return verification === 'github' && readHeader(headers, 'x-github-event') === 'ping';
}

async function startTask(trigger: Trigger, delivery: TriggerDelivery, ports: DeliveryPorts): Promise<DeliveryAnswer> {
  try {
    await ports.countStart();
    const firing = await planFiring(trigger, delivery, ports.context);
    const { outcome, taskId } = await ports.run(fireTrigger, firing);
    return outcome === 'started'
      ? { status: 202, body: { task_id: taskId } }
      : { status: 200, body: { duplicate: true, task_id: taskId } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await recordEnd(trigger, delivery, ports, { outcome: 'failed', problem: error.message });
    throw concealFault(error);
  }
}

/**
 * Answers a request at the URL of a trigger: proves its sender, reads it, and starts its task at most once. Every end is recorded with the
 * trigger's deliveries; throws what the sender is told.
 */
export async function receiveDelivery(trigger: Trigger, request: IncomingRequest, ports: DeliveryPorts): Promise<DeliveryAnswer> {
  let delivery: TriggerDelivery;
  try {
    delivery = readDelivery(trigger, request, ports.context);
  } catch (error) {
    if (error instanceof Fault && error.status < 500) await recordRefusal(trigger, request.headers, error.message, ports);
    throw error;
  }
  if (isPing(trigger, request.headers) || !meetsFilters(delivery.payload, trigger.filter)) {
    await recordEnd(trigger, delivery, ports, { outcome: 'filtered', problem: null });
    return { status: 200, body: { filtered: true } };
  }
  return startTask(trigger, delivery, ports);
}
