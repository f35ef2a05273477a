import { z } from 'zod';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { newId } from '@errand/base/ids.ts';
import { originOf } from '../../rules/accounts/access.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { usualDedupe } from '../../rules/triggers/payload-rules.ts';
import { createTrigger } from '../../store/triggers/triggers.ts';
import { requiredText } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { messageField } from '../messages/message-input.ts';
import { readTaskRequest } from '../tasks/requests/task-request-fields.ts';
import {
  checkType,
  readDedupe,
  readFilter,
  readTemplate,
  templateField,
  triggerFields,
  verificationField,
} from './trigger-fields.ts';
import { presentTrigger, triggerObject } from './trigger-object.ts';
import { createToken, readVerification } from './trigger-verification.ts';

export const triggerCreate = defineOperation('POST', 'trigger.create', {
  summary: 'Creates a URL that starts a task with what another system sends there.',
  details: [
    'A delivery is answered 202 with `task_id`, or 200 with `duplicate` if its id has started a task before, or with `filtered`.',
    'A wrong, stale, or missing signature is answered 401, a body over 1 MB 413; neither starts anything.',
    'What the sender wrote is marked for the agent as data, and the task counts as having read what a stranger wrote.',
  ].join(' '),
  access: 'all_tasks',
  request: z.object({
    name: requiredText('At most 100 characters.'),
    message_template: templateField,
    verification: verificationField,
    ...triggerFields,
  }),
  response: z.object({ trigger: triggerObject }),
  async handle(input, context) {
    checkType(input.type);
    const { principal, now, triggerSecrets } = context;
    const id = newId(now);
    const { stored, isGenerated } = readVerification(input.verification, id, triggerSecrets);
    const token = createToken();
    const content = readTemplate(input.message_template);
    const settings = {
      name: readName(input.name),
      status: 'active' as const,
      ...stored,
      sealedToken: triggerSecrets.seal(id, 'token', token),
      tokenDigest: digestSecret(token),
      dedupe: typeof input.dedupe === 'string' ? readDedupe(input.dedupe) : usualDedupe(stored.verification),
      filter: readFilter(input.filter ?? []),
      request: await readTaskRequest(
        { structured_output_schema: undefined, ...input, message: messageField.parse({ content }) },
        context,
      ),
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
