import { Fault } from '@errand/base/fault.ts';
import { readPayload } from '../../rules/triggers/payload.ts';
import { meetsFilters } from '../../rules/triggers/payload-rules.ts';
import { verifySender, readHeader, type RequestHeaders } from '../../rules/triggers/sender-verification.ts';
import { triggerPaused } from '../../store/triggers/fire-trigger.ts';
import type { Trigger } from '../../store/triggers/trigger-row.ts';
import type { Context } from '../contract/operation.ts';
import { type DeliveryPorts, recordEnd, startFrom } from './delivery-ends.ts';
import type { TriggerDelivery } from './trigger-firing.ts';

/** A request at the URL of a trigger. */
export interface IncomingRequest {
  headers: RequestHeaders;
  body: Buffer;
}

export interface DeliveryAnswer {
  status: 200 | 202;
  body: { task_id?: string; duplicate?: true; filtered?: true };
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
  const forged = verifySender({ type, secret, header: header ?? '' }, { headers, body, nowMs: now });
  if (forged !== null) throw new Fault('unauthenticated', `The request was not accepted: ${forged}.`);
  if (status !== 'active') throw triggerPaused();
  const payload = readPayload(body, readHeader(headers, 'content-type'));
  return { cause: 'delivery', headers, payload, bodyBytes: body.length };
}

/** GitHub sends one when its webhook is set up. */
function isPing({ verification }: Trigger, headers: RequestHeaders): boolean {
  return verification === 'github' && readHeader(headers, 'x-github-event') === 'ping';
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
  const { outcome, taskId } = await startFrom(trigger, delivery, ports);
  return outcome === 'started'
    ? { status: 202, body: { task_id: taskId } }
    : { status: 200, body: { duplicate: true, task_id: taskId } };
}
