import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { originOf } from '../../rules/accounts/access.ts';
import { fillTemplate } from '../../rules/messages/message-template.ts';
import { readValues, type RecipeField } from '../../rules/recipes/recipe.ts';
import type { TaskRequest } from '../../rules/schedules/task-request.ts';
import { getFile } from '../../store/files/files.ts';
import { createTask } from '../../store/tasks/tasks.ts';
import { optional } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { keyOfFile } from '../files/file-key.ts';
import { bringFiles, messageField, readMessageInput } from '../messages/message-input.ts';
import { planTask } from '../tasks/requests/requested-task.ts';
import { presentReceipt, taskReceipt } from '../tasks/task-object.ts';
import { findShipped, readStoredRecipe, recipeId } from './recipe-object.ts';

/** The longest message of a task. */
const maxMessageLength = 200_000;

interface Form {
  fields: readonly RecipeField[];
  template: string;
  request: Omit<TaskRequest, 'message'>;
}

async function findForm(id: string, context: Context): Promise<Form> {
  const shipped = findShipped(id);
  if (!shipped) {
    const { fields, request } = await readStoredRecipe(id, context);
    return { fields, template: request.message.text, request };
  }
  const plain = {
    names: {},
    outputSchema: null,
    projectId: null,
    profile: null,
    locale: null,
    isInteractive: false,
    metadata: {},
  };
  return { ...shipped, request: { ...plain, family: context.family } };
}

/** The name of a file of the caller; 400 for one that does not exist. */
async function nameFile({ name }: RecipeField, fileId: string, { principal, read }: Context): Promise<string> {
  try {
    return (await read(getFile, keyOfFile(fileId, principal))).filename;
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found')
      throw invalidField(`values.${name}`, 'is not a file of this account');
    throw error;
  }
}

/** The message with the values in their places, and the files attached. */
async function composeInput({ fields, template }: Form, values: ReadonlyMap<string, string>, context: Context) {
  const files = fields.filter(({ type, name }) => type === 'file' && values.get(name) !== '');
  const shown = new Map(values);
  for (const field of files) shown.set(field.name, await nameFile(field, values.get(field.name) ?? '', context));
  const { text, cut } = fillTemplate(template, (name) => shown.get(name) ?? '', maxMessageLength);
  if (cut[0] !== undefined)
    throw invalidField(`values.${cut[0]}`, `the message would have more than ${maxMessageLength} characters`);
  if (text.trim() === '' && files.length === 0) throw invalidField('values', 'must fill in a field: the message would be empty');
  const attached = files.map(({ name }) => ({ type: 'file', file_id: values.get(name) }));
  return messageField.parse({ content: [{ type: 'text', text }, ...attached] });
}

export const recipeRun = defineOperation('POST', 'recipe.run', {
  summary: 'Starts a task from a recipe.',
  details: 'A missing, unknown, or wrong value is 400 and names `values.<name>`.',
  access: 'all_tasks',
  cost: 'create',
  request: z.object({
    recipe_id: recipeId,
    values: optional(z.record(z.string(), z.unknown())).meta({
      description: 'By the names of the fields: texts, a choice, a date as `2027-02-28`, the id of an uploaded file.',
    }),
  }),
  response: taskReceipt,
  async handle({ recipe_id: id, values = {} }, context) {
    const form = await findForm(id, context);
    const input = await composeInput(form, readValues(form.fields, values), context);
    const message = await bringFiles(await readMessageInput(input, null, null, context), context);
    const task = await context.write(
      createTask,
      await planTask({ ...form.request, message }, originOf(context.principal), context),
    );
    return presentReceipt(task, context.urls);
  },
});
