import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { fillTemplate } from '../../rules/messages/message-template.ts';
import type { RecipeField } from '../../rules/recipes/recipe.ts';
import type { TaskRequest } from '../../rules/schedules/task-request.ts';
import { getFile } from '../../store/files/files.ts';
import { optional } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import { keyOfFile } from '../files/file-key.ts';
import { messageField } from '../messages/message-input.ts';
import { findShipped, readStoredRecipe } from './recipe-object.ts';

/** The longest message of a task. */
const maxMessageLength = 200_000;

/** What is filled in. */
export const valuesField = optional(z.record(z.string(), z.unknown()));

/** A recipe as it is filled in. */
export interface RecipeForm {
  fields: readonly RecipeField[];
  template: string;
  request: Omit<TaskRequest, 'message'>;
}

/** The form of a recipe that the caller may use; 404 for any other. */
export async function findForm(id: string, context: Context): Promise<RecipeForm> {
  const shipped = findShipped(id);
  if (!shipped) {
    const { fields, request } = await readStoredRecipe(id, context);
    return { fields, template: request.message.text, request };
  }
  const plain = {
    names: {},
    outputSchema: null,
    projectId: null,
    profile: null,
    locale: null,
    isInteractive: false,
    metadata: {},
  };
  return { ...shipped, request: { ...plain, family: context.family } };
}

/** The name of a file of the caller; 400 for one that does not exist. */
async function nameFile({ name }: RecipeField, fileId: string, { principal, read }: Context): Promise<string> {
  try {
    return (await read(getFile, keyOfFile(fileId, principal))).filename;
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found')
      throw invalidField(`values.${name}`, 'is not a file of this account');
    throw error;
  }
}

/** The template with the values in their places; 400 names one that makes it longer than `maxLength`. */
export function fillForm(template: string, values: ReadonlyMap<string, string>, maxLength: number): string {
  const { text, cut } = fillTemplate(template, (name) => values.get(name) ?? '', maxLength);
  if (cut[0] !== undefined) throw invalidField(`values.${cut[0]}`, `the message would have more than ${maxLength} characters`);
  return text;
}

/** The message with the values in their places, and the files attached. */
export async function composeInput({ fields, template }: RecipeForm, values: ReadonlyMap<string, string>, context: Context) {
  const files = fields.filter(({ type, name }) => type === 'file' && values.get(name) !== '');
  const shown = new Map(values);
  for (const field of files) shown.set(field.name, await nameFile(field, values.get(field.name) ?? '', context));
  const text = fillForm(template, shown, maxMessageLength);
  if (text.trim() === '' && files.length === 0) throw invalidField('values', 'must fill in a field: the message would be empty');
  const attached = files.map(({ name }) => ({ type: 'file', file_id: values.get(name) }));
  return messageField.parse({ content: [{ type: 'text', text }, ...attached] });
}
