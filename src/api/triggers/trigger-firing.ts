import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import type { Attachment } from '../../rules/events/task-event.ts';
import { findHosts, freshTrust } from '../../rules/egress/trust.ts';
import { parseTemplate } from '../../rules/messages/message-template.ts';
import type { Payload } from '../../rules/triggers/payload.ts';
import { composeMessage, findDedupeKeys } from '../../rules/triggers/payload-rules.ts';
import { readHeader, type RequestHeaders } from '../../rules/triggers/sender-verification.ts';
import type { FireTriggerArgs, TakenObject } from '../../store/triggers/fire-trigger.ts';
import { keptBodyBytes, type TriggerCause } from '../../store/triggers/trigger-events.ts';
import type { Trigger } from '../../store/triggers/trigger-row.ts';
import type { Context } from '../contract/operation.ts';
import { planTask } from '../tasks/requests/requested-task.ts';

/** The response of what starts a task by a trigger. */
export const firedFields = { task_id: z.string() };

/** What a trigger was sent, by whomever. */
export interface TriggerDelivery {
  cause: TriggerCause;
  headers: RequestHeaders;
  payload: Payload;
  bodyBytes: number;
  /** Files that came with it. */
  attachments?: readonly Attachment[];
  /** The object of a watched bucket that it is about. */
  object?: TakenObject | undefined;
  /** What its owner should know of it besides what the template lacks. */
  notes?: readonly string[];
}

/** Headers that say what a delivery is. */
const telling = [
  ...['content-type', 'user-agent', 'x-github-event', 'x-github-delivery', 'webhook-id', 'svix-id'],
  ...['from', 'subject', 'message-id', 'authentication-results'],
];
/** Headers that prove something are never stored. */
const proving = /authorization|cookie|secret|signature|token|key/;

/** The headers of a delivery that are kept with its event. */
function keepHeaders({ dedupe, header }: Trigger, headers: RequestHeaders): Record<string, string> {
  const names = [...telling, ...(dedupe === null || dedupe.startsWith('/') || proving.test(dedupe) ? [] : [dedupe])];
  const kept = names.filter((name) => name !== header).map((name) => [name, readHeader(headers, name)] as const);
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === '' ? [] : [[name, value.slice(0, 200).toWellFormed()]])));
}

/** The event of a delivery before anything is known of its outcome. */
export function describeDelivery(
  trigger: Trigger,
  { cause, headers, payload, bodyBytes, notes: known = [] }: TriggerDelivery,
  lacking: string[],
  now: number,
): FireTriggerArgs['event'] {
  const notes = [...known, ...lacking];
  const body = bodyBytes <= keptBodyBytes ? payload.text : null;
  return { id: newId(now), cause, notes, headers: keepHeaders(trigger, headers), body, bodyBytes, now };
}

/** Hosts that the owner of the trigger names; those in a payload do not count. */
function hostsOf(template: string): string[] {
  return findHosts(
    parseTemplate(template)
      .map((part) => (part.kind === 'text' ? part.text : ' '))
      .join(''),
  );
}

/** What one write does to start the task of a delivery. Throws as task.create does for what cannot start now. */
export async function planFiring(trigger: Trigger, delivery: TriggerDelivery, context: Context): Promise<FireTriggerArgs> {
  const { accountId, id: triggerId, request, apiKeyId, oauthClientId, conversation } = trigger;
  const { cause, headers, payload, attachments = [], object } = delivery;
  const { text, quoted, notes } = composeMessage(request.message.text, payload);
  if (text.trim() === '' && attachments.length === 0)
    throw invalidField('body', 'has nothing of what the message of this trigger is made of');
  const inherited = { ...freshTrust, isUntrusted: true, hosts: hostsOf(request.message.text) };
  const files = attachments.length > 0 && { attachments };
  const message = { ...request.message, text, quoted, inherited, ...files };
  const start = await planTask({ ...request, message }, { apiKeyId, oauthClientId }, context);
  const { now, creditDemand } = start;
  const followUp = { accountId, now, message: start.message, profile: null, ...(creditDemand && { creditDemand }) };
  return {
    ...{ accountId, triggerId, start },
    // Whoever tests or replays means it.
    dedupeKeys: cause === 'delivery' ? findDedupeKeys(trigger, payload, headers) : [],
    followUp: conversation === 'same' ? followUp : null,
    event: describeDelivery(trigger, delivery, notes, context.now),
    object,
  };
}
