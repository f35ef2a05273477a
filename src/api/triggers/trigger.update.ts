import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { type Trigger, type TriggerSettings, triggerStatuses } from '../../store/triggers/trigger-row.ts';
import { getTrigger, updateTrigger } from '../../store/triggers/triggers.ts';
import { optional } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { taskRequestChanges } from '../tasks/requests/task-request-fields.ts';
import { readBucket } from './bucket-fields.ts';
import { readFolder } from './folder-fields.ts';
import { changeTriggerRequest } from './recipe-template.ts';
import { readDedupe, readFilter, templateField, triggerFields, usualPlace, verificationField } from './trigger-fields.ts';
import { keyOfTrigger, triggerId } from './trigger-id.ts';
import { presentTrigger, triggerObject } from './trigger-object.ts';
import { createToken, readSender } from './trigger-verification.ts';

const { message: _, ...requestChanges } = taskRequestChanges;

const request = z.object({
  trigger_id: triggerId,
  name: optional(z.string()).meta({ description: 'At most 100 characters.' }),
  status: optional(z.enum(triggerStatuses)),
  message_template: optional(templateField),
  verification: optional(verificationField).meta({
    description: 'How senders are verified. Without a secret, the present one of the same type stays.',
  }),
  rotate_secret: optional(z.boolean()).meta({ description: 'Replaces the secret by a generated one, shown once.' }),
  rotate_url: optional(z.boolean()).meta({ description: 'Replaces the URL or the address; the one before it ends at once.' }),
  ...triggerFields,
  ...requestChanges,
});
type Input = z.output<typeof request>;

/** Null if the request changes nothing about it. */
function changeVerification({ verification, rotate_secret: isRotated }: Input, trigger: Trigger, { triggerSecrets }: Context) {
  if (!verification && !isRotated) return null;
  // The keys of a bucket are entered with it.
  if (trigger.type === 'bucket') {
    if (isRotated || verification?.type !== 'none') throw invalidField('verification', 'is not for buckets: change bucket');
    return null;
  }
  const named = verification ?? { type: trigger.verification, secret: undefined, header: trigger.header ?? undefined };
  return readSender(trigger.type, named, trigger.id, triggerSecrets, isRotated ? null : trigger);
}

/** A place for the sender's id that nobody has chosen follows the scheme. */
function changeDedupe({ dedupe }: Input, trigger: Trigger, type: Trigger['verification']): string | null {
  if (typeof dedupe === 'string') return readDedupe(dedupe, trigger.type);
  const isUsual = dedupe === null || trigger.dedupe === usualPlace(trigger.type, trigger.verification);
  return isUsual ? usualPlace(trigger.type, type) : trigger.dedupe;
}

function changeUrl(
  { rotate_url: isRotated }: Input,
  { id, type }: Trigger,
  { triggerSecrets }: Context,
): Partial<TriggerSettings> {
  if (!isRotated) return {};
  const token = createToken(type);
  return { sealedToken: triggerSecrets.seal(id, 'token', token), tokenDigest: digestSecret(token) };
}

export const triggerUpdate = defineOperation('POST', 'trigger.update', {
  summary: 'Changes, pauses, or resumes a trigger, or replaces its secret, URL, or address.',
  details: 'Omitted fields keep their values. Tasks that it has started stay as they are.',
  access: 'all_tasks',
  request,
  response: z.object({ trigger: triggerObject }),
  async handle(input, context) {
    const key = keyOfTrigger(input.trigger_id, context);
    const trigger = await context.read(getTrigger, key);
    if (input.type !== undefined && input.type !== trigger.type) throw invalidField('type', 'cannot be changed');
    const verified = changeVerification(input, trigger, context);
    const watched = readFolder(trigger.type, input.folder, context);
    const bucket = await readBucket({ id: trigger.id, type: trigger.type, before: trigger }, input.bucket, context);
    const settings = {
      ...(input.name !== undefined && { name: readName(input.name) }),
      ...(input.status !== undefined && { status: input.status }),
      ...verified?.stored,
      ...changeUrl(input, trigger, context),
      dedupe: changeDedupe(input, trigger, verified?.stored.verification ?? trigger.verification),
      ...(input.filter !== undefined && { filter: readFilter(input.filter) }),
      ...(watched && { watched }),
      ...bucket,
      ...(input.conversation !== undefined && { conversation: input.conversation }),
      request: await changeTriggerRequest(trigger.request, input, trigger.type, context),
    };
    const { principal, now } = context;
    const change = { settings, knownAtMs: trigger.updatedAtMs, actor: actorOf(principal), now };
    const updated = await context.write(updateTrigger, { ...key, ...change });
    return { trigger: presentTrigger(updated, context, verified?.isGenerated ?? false) };
  },
});
