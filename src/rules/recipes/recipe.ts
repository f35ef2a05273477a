import { invalidField, missingField } from '@errand/base/fault.ts';

export const recipeFieldTypes = ['text', 'choice', 'file', 'date'] as const;
export type RecipeFieldType = (typeof recipeFieldTypes)[number];

/** One question of a recipe's form; its template has the answer at `{{name}}`. */
export interface RecipeField {
  name: string;
  type: RecipeFieldType;
  required: boolean;
  /** Only of a choice. */
  choices?: readonly string[];
}

const longestValue = 50_000;

/** Whether a text is a day of the calendar, as `2027-02-28`. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function checkValue({ name, type, choices = [] }: RecipeField, value: unknown): string {
  const place = `values.${name}`;
  if (typeof value !== 'string') throw invalidField(place, 'must be a string');
  if (value.length > longestValue) throw invalidField(place, `must have at most ${longestValue} characters`);
  if (type === 'choice' && !choices.includes(value)) throw invalidField(place, `must be one of ${choices.join(', ')}`);
  if (type === 'date' && !isDate(value)) throw invalidField(place, 'must be a date such as 2027-02-28');
  if (type === 'file' && !/^file-[0-9A-Za-z]{22}$/.test(value))
    throw invalidField(place, 'must be a file id, file- and 22 characters');
  return value.toWellFormed().replaceAll('\0', '');
}

/** The values of a form by the names of its fields, '' for one left empty; 400 names the first that is missing or wrong. */
export function readValues(fields: readonly RecipeField[], values: Readonly<Record<string, unknown>>): Map<string, string> {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(values).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalidField(`values.${unknown.slice(0, 40)}`, 'is not a field of this recipe');
  return new Map(
    fields.map((field) => {
      const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
      if (value !== undefined && value !== null && value !== '') return [field.name, checkValue(field, value)];
      if (field.required) throw missingField(`values.${field.name}`);
      return [field.name, ''];
    }),
  );
}
