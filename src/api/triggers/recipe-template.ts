import { invalidField, missingField } from '@errand/base/fault.ts';
import { readValues, type RecipeField } from '../../rules/recipes/recipe.ts';
import type { TaskRequest } from '../../rules/schedules/task-request.ts';
import type { TriggerType } from '../../store/triggers/trigger-row.ts';
import type { Context } from '../contract/operation.ts';
import { messageField } from '../messages/message-input.ts';
import { fillForm, findForm, type RecipeForm } from '../recipes/recipe-form.ts';
import { findSource, type RecipeSource, requestFrom, withOrigin } from '../recipes/recipe-source.ts';
import {
  changeTaskRequest,
  readTaskRequest,
  type TaskRequestChange,
  type TaskRequestInput,
} from '../tasks/requests/task-request-fields.ts';
import { findWrongPlace, maxTemplateLength, readTemplate } from './trigger-fields.ts';

interface Filled {
  form: RecipeForm;
  values: ReadonlyMap<string, string>;
  message: ReturnType<typeof messageField.parse>;
}

/**
 * A field as a trigger fills it in: with a text that may have places for parts of the payload. Files come with mail and in folders, where
 * the text names one; requests bring none.
 */
function asText(field: RecipeField, type: TriggerType): RecipeField {
  if (field.type !== 'file') return field.type === 'date' ? { ...field, type: 'text' } : field;
  if (type === 'http' && field.required)
    throw invalidField('recipe_id', `its field ${field.name} takes a file, which requests do not bring`);
  return { ...field, type: 'text' };
}

/** The message template of a recipe whose fields are filled in with templates. */
async function fillRecipe(id: string, given: Record<string, unknown>, type: TriggerType, context: Context): Promise<Filled> {
  const form = await findForm(id, context);
  const values = readValues(
    form.fields.map((field) => asText(field, type)),
    given,
  );
  for (const [name, value] of values) {
    const wrong = findWrongPlace(value, type);
    if (wrong !== null) throw invalidField(`values.${name}`, wrong);
  }
  const content = readTemplate(fillForm(form.template, values, maxTemplateLength), type);
  return { form, values, message: messageField.parse({ content }) };
}

type Given = TaskRequestChange & RecipeSource & { message_template?: string | undefined };

/** What the tasks of a new trigger are asked for: a template, or a recipe, whose settings count unless the request names others. */
export async function readTriggerRequest(
  input: Omit<TaskRequestInput, 'message'> & Given,
  type: TriggerType,
  context: Context,
): Promise<TaskRequest> {
  const { message_template: template, values: given = {} } = input;
  const id = findSource(input, null, ['message_template', template]);
  if (id === null) {
    if (template === undefined) throw missingField('message_template', ', or recipe_id in its place');
    const message = messageField.parse({ content: readTemplate(template, type) });
    return readTaskRequest({ ...input, message }, context);
  }
  const { form, values, message } = await fillRecipe(id, given, type, context);
  return withOrigin(await requestFrom(form, { ...input, message }, context), id, values);
}

/** Applies a change to the task request of an existing trigger; settings that are not named stay. */
export async function changeTriggerRequest(
  current: TaskRequest,
  change: Given,
  type: TriggerType,
  context: Context,
): Promise<TaskRequest> {
  const { message_template: template, values: given = {} } = change;
  const id = findSource(change, current.recipe?.id ?? null, ['message_template', template]);
  if (id === null) {
    const said = template === undefined ? {} : { message: messageField.parse({ content: readTemplate(template, type) }) };
    const { recipe, ...changed } = await changeTaskRequest(current, { ...change, ...said }, context);
    return recipe === undefined || template !== undefined ? changed : { ...changed, recipe };
  }
  const { values, message } = await fillRecipe(id, given, type, context);
  return withOrigin(await changeTaskRequest(current, { ...change, message }, context), id, values);
}
