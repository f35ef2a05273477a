import { z } from 'zod';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { newId } from '@errand/base/ids.ts';
import { originOf } from '../../rules/accounts/access.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { createTrigger } from '../../store/triggers/triggers.ts';
import { missingField } from '@errand/base/fault.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { readBucket } from './bucket-fields.ts';
import { requireFolder } from './folder-fields.ts';
import { readTriggerRequest } from './recipe-template.ts';
import {
  readDedupe,
  readFilter,
  readType,
  templateField,
  triggerFields,
  usualPlace,
  verificationField,
} from './trigger-fields.ts';
import { presentTrigger, triggerObject } from './trigger-object.ts';
import { createToken, readSender } from './trigger-verification.ts';

export const triggerCreate = defineOperation('POST', 'trigger.create', {
  summary:
    'Creates a URL, or an address for mail, that starts a task with what is sent there, or watches a folder of the server or a bucket.',
  details: [
    'A delivery is answered 202 with `task_id`, or 200 with `duplicate` if its id has started a task before, or with `filtered`.',
    'A mail is answered 250 once its task is stored, and 550 if nothing has its address.',
    'A wrong, stale, or missing signature is answered 401, a body over 1 MB 413; neither starts anything.',
    'What the sender wrote is marked for the agent as data, and the task counts as having read what a stranger wrote.',
  ].join(' '),
  access: 'all_tasks',
  request: z.object({
    name: requiredText('At most 100 characters.'),
    message_template: optional(templateField),
    verification: optional(verificationField).meta({ description: 'Required for `http`; mail, folders, and buckets have none.' }),
    ...triggerFields,
  }),
  response: z.object({ trigger: triggerObject }),
  async handle(input, context) {
    const type = readType(input.type, context);
    const { principal, now, triggerSecrets } = context;
    const id = newId(now);
    const { stored, isGenerated } = readSender(type, input.verification, id, triggerSecrets);
    if (type === 'bucket' && !input.bucket) throw missingField('bucket');
    const token = createToken(type);
    const settings = {
      type,
      name: readName(input.name),
      status: 'active' as const,
      ...stored,
      sealedToken: triggerSecrets.seal(id, 'token', token),
      tokenDigest: digestSecret(token),
      dedupe: typeof input.dedupe === 'string' ? readDedupe(input.dedupe, type) : usualPlace(type, stored.verification),
      filter: readFilter(input.filter ?? []),
      request: await readTriggerRequest({ structured_output_schema: undefined, ...input }, type, context),
      watched: requireFolder(type, input.folder, context),
      bucket: null,
      ...(await readBucket({ id, type, before: null }, input.bucket, context)),
      conversation: input.conversation ?? ('new' as const),
    };
    const key = { accountId: principal.accountId, triggerId: id };
    const trigger = await context.write(createTrigger, {
      ...{ ...key, settings, ...originOf(principal) },
      ...{ actor: actorOf(principal), now },
    });
    return { trigger: presentTrigger(trigger, context, isGenerated) };
  },
});
