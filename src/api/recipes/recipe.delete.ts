import { z } from 'zod';
import { isId } from '@errand/base/ids.ts';
import { deleteRecipe, recipeNotFound } from '../../store/recipes/recipes.ts';
import { defineOperation } from '../contract/operation.ts';
import { recipeId } from './recipe-object.ts';
import { refuseShipped } from './shipped-recipe.ts';

export const recipeDelete = defineOperation('POST', 'recipe.delete', {
  summary: 'Deletes a recipe of the account. Tasks that it started stay.',
  access: 'all_tasks',
  request: z.object({ recipe_id: recipeId }),
  response: z.object({ id: z.string(), deleted: z.literal(true) }),
  async handle({ recipe_id: id }, { principal, write }) {
    refuseShipped(id);
    if (!isId(id)) throw recipeNotFound();
    await write(deleteRecipe, { accountId: principal.accountId, recipeId: id });
    return { id, deleted: true as const };
  },
});
