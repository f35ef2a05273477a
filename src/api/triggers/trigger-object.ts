import { z } from 'zod';
import { verificationTypes } from '../../rules/triggers/sender-verification.ts';
import { afterObject, type WatchedBucket } from '../../rules/triggers/watched-bucket.ts';
import { conversations, type Trigger, triggerStatuses, triggerTypes } from '../../store/triggers/trigger-row.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { shownRecipeSource } from '../recipes/recipe-source.ts';
import { presentTaskRequest, shownTaskRequest } from '../tasks/requests/task-request-fields.ts';

const { message: _, ...shownSettings } = shownTaskRequest;

/** A trigger (docs/reference/wire-format.md#triggers). */
export const triggerObject = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(triggerTypes),
    url: z.string().optional().meta({
      description:
        'The URL to which the sender of a trigger of type `http` posts. Whoever knows it can send, so it is shown to the account alone.',
    }),
    address: z.string().optional().meta({
      description:
        'The address at which mail starts tasks of a trigger of type `email`, shown to the account alone; absent while the service receives no mail.',
    }),
    folder: z
      .object({ root: z.string(), path: z.string(), pattern: z.string() })
      .optional()
      .meta({ description: 'The folder that a trigger of type `folder` watches.' }),
    folder_problem: z.string().optional().meta({ description: 'Why the folder could not be looked at last.' }),
    bucket: z
      .object({
        endpoint: z.string(),
        region: z.string(),
        name: z.string(),
        prefix: z.string(),
        pattern: z.string(),
        after: z.enum(afterObject),
      })
      .optional()
      .meta({ description: 'The bucket that a trigger of type `bucket` watches, without its keys.' }),
    bucket_problem: z.string().optional().meta({ description: 'Why the bucket, or an object of it, could not be read last.' }),
    status: z.enum(triggerStatuses).meta({ description: 'A paused trigger refuses what it is sent.' }),
    message_template: z.string(),
    verification: z.object({
      type: z.enum(verificationTypes),
      header: z.string().optional(),
      secret: z.string().optional().meta({ description: 'Present once: when it was generated.' }),
    }),
    dedupe: z.string().nullable(),
    filter: z.array(z.object({ pointer: z.string(), equals: z.unknown() })),
    conversation: z.enum(conversations),
    task_id: z.string().optional().meta({ description: 'The task of the conversation `same`, once there is one.' }),
    ...shownSettings,
    ...shownRecipeSource,
    created_at: unixTime,
    updated_at: unixTime,
  })
  .meta({ id: 'Trigger' });

/** The path of every trigger, before the end of its URL. */
export const triggerPath = '/t/';

function showBucket({ endpoint, region, name, prefix, pattern, after }: WatchedBucket) {
  return { endpoint, region, name, prefix, pattern, after };
}

/** Where others send to a trigger, or leave files for it. */
function showPlace(
  { id, type, sealedToken, watched, bucket, watchProblem: problem }: Trigger,
  { urls, triggerSecrets, mailDomain }: Context,
) {
  if (watched) return { folder: watched, ...(problem !== null && { folder_problem: problem }) };
  if (bucket) return { bucket: showBucket(bucket), ...(problem !== null && { bucket_problem: problem }) };
  const token = triggerSecrets.open(id, 'token', sealedToken);
  if (type === 'http') return { url: urls.page(`${triggerPath}${token}`) };
  return mailDomain === null ? {} : { address: `${token}@${mailDomain}` };
}

/** @param isSecretShown for the one answer that shows a generated secret */
export function presentTrigger(trigger: Trigger, context: Context, isSecretShown = false): z.input<typeof triggerObject> {
  const { triggerSecrets } = context;
  const { id, name, status, verification: type, header, sealedSecret, dedupe, filter, conversation } = trigger;
  const { message, ...settings } = presentTaskRequest(trigger.request, context);
  const secret = isSecretShown && sealedSecret !== null ? triggerSecrets.open(id, 'secret', sealedSecret) : null;
  return {
    ...{ id, name, type: trigger.type, ...showPlace(trigger, context) },
    ...{ status, message_template: message.content },
    verification: { type, ...(header !== null && { header }), ...(secret !== null && { secret }) },
    ...{ dedupe, filter, conversation },
    ...(trigger.taskId !== null && { task_id: trigger.taskId }),
    ...settings,
    created_at: toUnixTime(trigger.createdAtMs),
    updated_at: toUnixTime(trigger.updatedAtMs),
  };
}
