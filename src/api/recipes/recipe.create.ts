import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { createRecipe } from '../../store/recipes/recipes.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { readName } from '../contract/name-field.ts';
import { defineOperation } from '../contract/operation.ts';
import { messageField } from '../messages/message-input.ts';
import { readTaskRequest } from '../tasks/requests/task-request-fields.ts';
import { readDescription, readFields, readRecipeTemplate, recipeField, recipeFields, recipeTemplate } from './recipe-fields.ts';
import { presentRecipe, recipeObject } from './recipe-object.ts';

export const recipeCreate = defineOperation('POST', 'recipe.create', {
  summary: 'Saves a task as a form: a message with fields that are filled in at each run.',
  access: 'all_tasks',
  request: z.object({
    name: requiredText('At most 100 characters.'),
    message_template: recipeTemplate,
    fields: optional(z.array(recipeField)).meta({ description: 'At most 20.' }),
    ...recipeFields,
  }),
  response: z.object({ recipe: recipeObject }),
  async handle(input, context) {
    const { principal, now } = context;
    const fields = readFields(input.fields ?? []);
    const message = messageField.parse({ content: readRecipeTemplate(input.message_template, fields) });
    const settings = {
      name: readName(input.name),
      description: readDescription(input.description ?? ''),
      fields,
      request: await readTaskRequest({ structured_output_schema: undefined, ...input, message }, context),
      isShared: input.team ?? false,
    };
    const recipe = await context.write(createRecipe, { accountId: principal.accountId, recipeId: newId(now), settings, now });
    return { recipe: presentRecipe(recipe, context) };
  },
});
