import { z } from 'zod';
import { defineOperation } from '../contract/operation.ts';
import { findShipped, presentRecipe, presentShipped, readStoredRecipe, recipeId, recipeObject } from './recipe-object.ts';

export const recipeDetail = defineOperation('GET', 'recipe.detail', {
  summary: 'Returns a recipe with its fields.',
  access: 'all_tasks',
  request: z.object({ recipe_id: recipeId }),
  response: z.object({ recipe: recipeObject }),
  async handle({ recipe_id: id }, context) {
    const shipped = findShipped(id);
    return { recipe: shipped ? presentShipped(shipped) : presentRecipe(await readStoredRecipe(id, context), context) };
  },
});
