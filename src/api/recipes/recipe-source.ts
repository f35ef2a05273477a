import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { readValues } from '../../rules/recipes/recipe.ts';
import type { TaskRequest } from '../../rules/schedules/task-request.ts';
import { optional } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import type { MessageInput } from '../messages/message-input.ts';
import {
  changeTaskRequest,
  readTaskRequest,
  type TaskRequestChange,
  type TaskRequestInput,
} from '../tasks/requests/task-request-fields.ts';
import { composeInput, findForm, type RecipeForm, valuesField } from './recipe-form.ts';

/** What takes its message from a recipe, in a request. The recipe is copied: nobody else's change reaches tasks that start unattended. */
export const recipeSource = {
  recipe_id: optional(z.string()).meta({
    description:
      'A recipe in place of the message. Its text and settings are copied now; changing the recipe changes nothing here.',
  }),
  values: valuesField.meta({ description: 'The values of its fields, as for recipe.run.' }),
};

/** The recipe and its values in a response. */
export const shownRecipeSource = {
  recipe_id: z.string().optional().meta({ description: 'The recipe that the message was copied from.' }),
  values: z.record(z.string(), z.string()).optional().meta({ description: 'What its fields were filled in with.' }),
};

/** The recipe and its values as read from a request. */
export interface RecipeSource {
  recipe_id?: string | undefined;
  values?: Record<string, unknown> | undefined;
}

const noMessage = { type: 'user_message', text: '', kind: 'text' } as const;

/** Notes in a request where its message is from. */
export function withOrigin(request: TaskRequest, recipeId: string, values: ReadonlyMap<string, string>): TaskRequest {
  return { ...request, recipe: { id: recipeId, values: Object.fromEntries(values) } };
}

/** The settings of a recipe with what a request says besides. */
export function requestFrom(form: RecipeForm, change: TaskRequestChange, context: Context): Promise<TaskRequest> {
  return changeTaskRequest({ ...form.request, message: noMessage }, change, context);
}

/** The recipe that a change names; null for none, 400 if both a recipe and `otherwise` are given. */
export function findSource(
  { recipe_id: id, values }: RecipeSource,
  known: string | null,
  otherwise: [string, unknown],
): string | null {
  if (id === undefined && values === undefined) return null;
  if (otherwise[1] !== undefined) throw invalidField('recipe_id', `cannot be combined with ${otherwise[0]}`);
  const found = id ?? known;
  if (found === null) throw missingField('recipe_id', ': values are those of a recipe');
  return found;
}

type Wanted = Omit<TaskRequestInput, 'message'> & RecipeSource & { message?: MessageInput | undefined };

/** What the tasks of something new are asked for: a message, or a recipe with values. */
export async function readRequest(input: Wanted, context: Context): Promise<TaskRequest> {
  const { message } = input;
  const id = findSource(input, null, ['message', message]);
  if (id === null) {
    if (message === undefined) throw missingField('message', ', or recipe_id in its place');
    return readTaskRequest({ ...input, message }, context);
  }
  const form = await findForm(id, context);
  const values = readValues(form.fields, input.values ?? {});
  const composed = await composeInput(form, values, context);
  return withOrigin(await requestFrom(form, { ...input, message: composed }, context), id, values);
}

/** Applies a change to a request that may come from a recipe. A new message drops the recipe; settings that are not named stay. */
export async function changeRequest(
  current: TaskRequest,
  change: TaskRequestChange & RecipeSource,
  context: Context,
): Promise<TaskRequest> {
  const id = findSource(change, current.recipe?.id ?? null, ['message', change.message]);
  if (id === null) {
    const { recipe, ...changed } = await changeTaskRequest(current, change, context);
    return recipe === undefined || change.message !== undefined ? changed : { ...changed, recipe };
  }
  const form = await findForm(id, context);
  const values = readValues(form.fields, change.values ?? {});
  const message = await composeInput(form, values, context);
  return withOrigin(await changeTaskRequest(current, { ...change, message }, context), id, values);
}
