import { z } from 'zod';
import { recipeNotFound, updateRecipe } from '../../store/recipes/recipes.ts';
import { optional } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { messageField } from '../messages/message-input.ts';
import { changeTaskRequest, taskRequestChanges } from '../tasks/requests/task-request-fields.ts';
import { readDescription, readFields, readRecipeTemplate, recipeField, recipeFields, recipeTemplate } from './recipe-fields.ts';
import { presentRecipe, readStoredRecipe, recipeId, recipeObject } from './recipe-object.ts';
import { refuseShipped } from './shipped-recipe.ts';

const { message: _, ...requestChanges } = taskRequestChanges;

export const recipeUpdate = defineOperation('POST', 'recipe.update', {
  summary: 'Changes a recipe of the account.',
  details: 'Omitted fields keep their values. A recipe that comes with the service cannot be changed (412).',
  access: 'all_tasks',
  request: z.object({
    recipe_id: recipeId,
    name: optional(z.string()).meta({ description: 'At most 100 characters.' }),
    message_template: optional(recipeTemplate),
    fields: optional(z.array(recipeField)).meta({ description: 'Replaces all fields.' }),
    ...recipeFields,
    ...requestChanges,
  }),
  response: z.object({ recipe: recipeObject }),
  async handle(input, context) {
    const { principal, now } = context;
    refuseShipped(input.recipe_id);
    const recipe = await readStoredRecipe(input.recipe_id, context);
    if (recipe.accountId !== principal.accountId) throw recipeNotFound();
    const fields = input.fields === undefined ? recipe.fields : readFields(input.fields);
    // Also a template that stays has to fit the fields.
    const content = readRecipeTemplate(input.message_template ?? recipe.request.message.text, fields);
    const said = input.message_template === undefined ? {} : { message: messageField.parse({ content }) };
    const settings = {
      name: input.name === undefined ? recipe.name : readName(input.name),
      description: input.description === undefined ? recipe.description : readDescription(input.description),
      fields,
      request: await changeTaskRequest(recipe.request, { ...input, ...said }, context),
      isShared: input.team,
    };
    const key = { accountId: principal.accountId, recipeId: recipe.id };
    const updated = await context.write(updateRecipe, { ...key, settings, knownAtMs: recipe.updatedAtMs, now });
    return { recipe: presentRecipe(updated, context) };
  },
});
