import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { grantedConnectorsOf } from '../../rules/accounts/access.ts';
import { deciderOf } from '../../rules/inbox/decider.ts';
import type { UserMessage } from '../../rules/events/task-event.ts';
import { decideItem, findItemTask } from '../../store/inbox/inbox-decisions.ts';
import { optional } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { isLongerThan } from '../contract/text-length.ts';
import { bringFiles, readMessageInput } from '../messages/message-input.ts';
import { itemId, keyOfItem } from './inbox-item.ts';

const maxNoteLength = 2000;

function readNote(note: string | undefined): string | null {
  if (note === undefined || note === '') return null;
  if (isLongerThan(note, maxNoteLength)) throw invalidField('note', `must have at most ${maxNoteLength} characters`);
  return note.toWellFormed().replaceAll('\0', '\ufffd');
}

/** A form that was sent without a choice decides nothing, and must not pass for one that was not sent. */
function checkInput(input: Record<string, unknown> | undefined): void {
  if (input?.['accept'] === null) throw invalidField('input.accept', 'must be true or false, not null');
}

const noOptions = {
  connectors: undefined,
  enable_skills: undefined,
  force_skills: undefined,
  task_references: undefined,
  instructions: undefined,
};

async function readAnswer(content: string, taskId: string, context: Context): Promise<UserMessage> {
  return bringFiles(await readMessageInput({ content, ...noOptions }, undefined, taskId, context), context);
}

export const inboxDecide = defineOperation('POST', 'inbox.decide', {
  summary: 'Decides an item of the inbox, once. A second decision is 409.',
  details: [
    'A question takes `answer`, which becomes the next message of the user. A confirmation or sign-in takes `accept`, or `input` by its',
    'input_schema; `answer` is sent with the decision, and alone the task continues with that message, as by task.sendMessage. A failure',
    'takes `accept`: true sends `answer`, or a request to try again; false dismisses it and leaves the task as it is.',
  ].join(' '),
  access: 'all_tasks',
  cost: 'create',
  request: z.object({
    id: itemId,
    accept: optional(z.boolean()),
    answer: optional(z.string()).meta({ description: 'At most 200,000 characters.' }),
    input: optional(z.record(z.string(), z.unknown())).meta({ description: 'Fields not in the schema are ignored.' }),
    note: optional(z.string()).meta({ description: 'Why; kept with the decision. At most 2,000 characters.' }),
  }),
  response: z.object({ decided: z.literal(true) }),
  async handle({ id, accept, answer, input, note }, context) {
    const { principal, now } = context;
    const key = keyOfItem(id, context);
    checkInput(input);
    await context.write(decideItem, {
      ...key,
      accept: accept ?? null,
      message: answer ? await readAnswer(answer, key.taskId, context) : null,
      retryMessage: await readAnswer('Try again.', key.taskId, context),
      input: input ?? null,
      note: readNote(note),
      price: context.credits.price,
      decider: deciderOf(principal),
      now,
      grantedConnectors: grantedConnectorsOf(principal),
      creditDemand: await context.credits.demandFor((await context.read(findItemTask, key)).accountId, now),
    });
    return { decided: true as const };
  },
});
