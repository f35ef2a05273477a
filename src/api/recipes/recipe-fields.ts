import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { findPlaces } from '../../rules/messages/message-template.ts';
import { type RecipeField, recipeFieldTypes } from '../../rules/recipes/recipe.ts';
import { optional } from '../contract/fields.ts';
import { isLongerThan } from '../contract/text-length.ts';
import { taskSettingFields } from '../tasks/requests/task-request-fields.ts';

/** Limits of one recipe (docs/reference/choices.md#recipes). */
const maxTemplateLength = 100_000;
const maxDescriptionLength = 500;
const [maxFields, maxChoices, maxChoiceLength] = [20, 50, 100];

const fieldForm = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

export const recipeField = z.object({
  name: z.string().meta({ description: 'A letter, then up to 39 letters, digits, `_` and `-`.' }),
  type: z.enum(recipeFieldTypes),
  required: optional(z.boolean()).meta({ description: 'Default: false.' }),
  choices: optional(z.array(z.string())).meta({
    description: 'The choices of a field of that type: 1 to 50 texts of at most 100 characters.',
  }),
});

/** Fields of recipe.create and recipe.update besides those that only the first requires. */
export const recipeFields = {
  description: optional(z.string()).meta({ description: 'At most 500 characters.' }),
  team: optional(z.boolean()).meta({ description: "Lets the account's team use the recipe." }),
  ...taskSettingFields,
};

export const recipeTemplate = z.string().meta({
  description: 'The message, at most 100,000 characters; `{{name}}` is the value of that field, of a file its name.',
});

function readChoices({ type, choices }: z.output<typeof recipeField>, place: string): readonly string[] | null {
  if (type !== 'choice') {
    if (choices !== undefined) throw invalidField(`${place}.choices`, 'is only for the type choice');
    return null;
  }
  if (choices === undefined || choices.length === 0) throw missingField(`${place}.choices`);
  const wrong =
    choices.length > maxChoices || choices.some((text) => text === '' || text.length > maxChoiceLength || text.includes('\0'));
  if (wrong || new Set(choices).size < choices.length) {
    throw invalidField(`${place}.choices`, `must be at most ${maxChoices} different texts of 1 to ${maxChoiceLength} characters`);
  }
  return choices.map((text) => text.toWellFormed());
}

/** The fields of a form; 400 names the first that is wrong. */
export function readFields(fields: readonly z.output<typeof recipeField>[]): RecipeField[] {
  if (fields.length > maxFields) throw invalidField('fields', `must have at most ${maxFields} items`);
  const names = new Set<string>();
  return fields.map((field, index) => {
    const place = `fields[${index}]`;
    const { name, type, required = false } = field;
    if (!fieldForm.test(name)) throw invalidField(`${place}.name`, 'must be a letter, then up to 39 letters, digits, _ and -');
    if (names.has(name)) throw invalidField(`${place}.name`, 'is the name of another field too');
    names.add(name);
    const choices = readChoices(field, place);
    return { name, type, required, ...(choices && { choices }) };
  });
}

/** A template whose places all are fields; 400 names one that is not. */
export function readRecipeTemplate(template: string, fields: readonly RecipeField[]): string {
  if (template.trim() === '') throw missingField('message_template');
  if (isLongerThan(template, maxTemplateLength)) {
    throw invalidField('message_template', `must have at most ${maxTemplateLength} characters`);
  }
  const known = new Set(fields.map(({ name }) => name));
  const wrong = findPlaces(template).find((name) => !known.has(name));
  if (wrong !== undefined) throw invalidField('message_template', `{{${wrong.slice(0, 40)}}} is not the name of a field`);
  return template.toWellFormed().replaceAll('\0', '');
}

export function readDescription(description: string): string {
  if (isLongerThan(description, maxDescriptionLength)) {
    throw invalidField('description', `must have at most ${maxDescriptionLength} characters`);
  }
  return description.toWellFormed().replaceAll('\0', '').trim();
}
