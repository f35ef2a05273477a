import { z } from 'zod';
import { originOf } from '../../rules/accounts/access.ts';
import { readValues } from '../../rules/recipes/recipe.ts';
import { createTask } from '../../store/tasks/tasks.ts';
import { defineOperation } from '../contract/operation.ts';
import { bringFiles, readMessageInput } from '../messages/message-input.ts';
import { planTask } from '../tasks/requests/requested-task.ts';
import { presentReceipt, taskReceipt } from '../tasks/task-object.ts';
import { composeInput, findForm, valuesField } from './recipe-form.ts';
import { recipeId } from './recipe-object.ts';

export const recipeRun = defineOperation('POST', 'recipe.run', {
  summary: 'Starts a task from a recipe.',
  details: 'A missing, unknown, or wrong value is 400 and names `values.<name>`.',
  access: 'all_tasks',
  cost: 'create',
  request: z.object({
    recipe_id: recipeId,
    values: valuesField.meta({
      description:
        'The values of the fields, by name: a text, one of the choices, a date such as `2027-02-28`, or the id of an uploaded file.',
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
