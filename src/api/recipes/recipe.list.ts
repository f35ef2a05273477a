import { z } from 'zod';
import { shippedRecipes } from '../../rules/recipes/shipped-recipes.ts';
import { listRecipes } from '../../store/recipes/recipes.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentRecipe, presentShipped, recipeObject } from './recipe-object.ts';

export const recipeList = defineOperation('GET', 'recipe.list', {
  summary: "Lists the account's recipes and its team's, newest first, then those that come with the service.",
  access: 'all_tasks',
  request: z.object({ limit: queryInteger(1, 100, 20), cursor }),
  response: z.object({ data: z.array(recipeObject), ...pageEnd }),
  async handle({ limit, cursor: from }, context) {
    const { accountId } = context.principal;
    const { items, end } = await readListPage(
      { query: ['recipe.list', accountId], cursor: from, limit },
      async (after, count) => {
        const shippedBefore = shippedRecipes.findIndex(({ id }) => id === after) + 1;
        const isStored = shippedBefore === 0;
        const stored = isStored ? await context.read(listRecipes, { accountId, beforeId: after, limit: count }) : [];
        const shipped = shippedRecipes.slice(shippedBefore, shippedBefore + count - stored.length);
        return [...stored.map((recipe) => presentRecipe(recipe, context)), ...shipped.map(presentShipped)];
      },
      ({ id }) => id,
    );
    return { data: items, ...end };
  },
});
