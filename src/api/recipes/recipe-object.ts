import { z } from 'zod';
import { recipeFieldTypes } from '../../rules/recipes/recipe.ts';
import { shippedAtMs, type ShippedRecipe, shippedRecipes } from '../../rules/recipes/shipped-recipes.ts';
import { getRecipe, type Recipe, recipeNotFound } from '../../store/recipes/recipes.ts';
import { isId } from '@errand/base/ids.ts';
import { requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { presentTaskRequest, shownTaskRequest } from '../tasks/requests/task-request-fields.ts';

export const recipeId = requiredText('Identifier of the recipe.');

const { message: _, ...shownSettings } = shownTaskRequest;

/** A recipe (docs/reference/wire-format.md#recipes). */
export const recipeObject = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    message_template: z.string(),
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.enum(recipeFieldTypes),
        required: z.boolean(),
        choices: z.array(z.string()).optional(),
      }),
    ),
    is_shipped: z.boolean().meta({ description: 'It comes with the service and cannot be changed.' }),
    is_own: z.boolean().meta({ description: 'Whether the account can change it.' }),
    team: z.boolean().meta({ description: 'Whether the team of its account may use it.' }),
    ...shownSettings,
    created_at: unixTime,
    updated_at: unixTime,
  })
  .meta({ id: 'Recipe' });

type RecipeObject = z.input<typeof recipeObject>;

const presentFields = (fields: Recipe['fields'] | ShippedRecipe['fields']): RecipeObject['fields'] =>
  fields.map(({ choices, ...field }) => ({ ...field, ...(choices && { choices: [...choices] }) }));

export function presentRecipe(recipe: Recipe, context: Context): RecipeObject {
  const { id, name, description, fields, teamId, request, createdAtMs, updatedAtMs } = recipe;
  const { message, ...settings } = presentTaskRequest(request, context);
  return {
    ...{ id, name, description, message_template: message.content, fields: presentFields(fields) },
    ...{ is_shipped: false, is_own: recipe.accountId === context.principal.accountId, team: teamId !== null },
    ...settings,
    ...{ created_at: toUnixTime(createdAtMs), updated_at: toUnixTime(updatedAtMs) },
  };
}

export function presentShipped({ id, name, description, template, fields }: ShippedRecipe): RecipeObject {
  const shippedAt = toUnixTime(shippedAtMs);
  return {
    ...{ id, name, description, message_template: template, fields: presentFields(fields) },
    ...{ is_shipped: true, is_own: false, team: false, interactive_mode: false, created_at: shippedAt, updated_at: shippedAt },
  };
}

export function findShipped(id: string): ShippedRecipe | undefined {
  return shippedRecipes.find((recipe) => recipe.id === id);
}

/** A stored recipe that the caller may use; 404 for any other. */
export async function readStoredRecipe(id: string, { principal, read }: Context): Promise<Recipe> {
  if (!isId(id)) throw recipeNotFound();
  return read(getRecipe, { accountId: principal.accountId, recipeId: id });
}
