import type { Recipe } from '@errand/client';

export type RecipeField = Recipe['fields'][number];

/** A place in a template. The service allows the same names. */
const place = /\{\{\s*([A-Za-z][A-Za-z0-9_-]{0,39})\s*\}\}/g;

/** The names in a template, in order, each once. */
export function findNames(template: string): string[] {
  return [...new Set([...template.matchAll(place)].map(([, name = '']) => name))];
}

/**
 * The fields of a template: one for each name in it, as it was set up before, and files that it does not name.
 * @param known all fields that have been set up, also those that the template no longer names
 */
export function fieldsOf(template: string, known: readonly RecipeField[]): RecipeField[] {
  const names = findNames(template);
  const named = names.map(
    (name) => known.find((field) => field.name === name) ?? { name, type: 'text' as const, required: true },
  );
  return [...named, ...known.filter((field) => field.type === 'file' && !names.includes(field.name))];
}

/** The choices of a text with one on each line. */
export function readChoices(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}
