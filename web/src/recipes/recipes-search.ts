/** How the name of a search parameter with a value begins. */
const valuePrefix = 'values.';

/** The search parameters of the recipes; beside them `values.<name>` for what a field begins with. */
export interface RecipesSearch {
  /** The task to make a recipe from. */
  from?: string;
  /** The recipe whose form is open. */
  recipe?: string;
  [value: `values.${string}`]: string;
}

/** The router reads numbers and booleans. */
function readText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Reads the search parameters; invalid ones are dropped. */
export function readRecipesSearch(search: Record<string, unknown>): RecipesSearch {
  const known = Object.entries(search).flatMap(([name, value]) => {
    const text = readText(value);
    const isKnown = name === 'from' || name === 'recipe' || name.startsWith(valuePrefix);
    return isKnown && text !== null ? [[name, text] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The values of the parameters by the names of the fields. */
export function valuesOf(search: RecipesSearch): Record<string, string> {
  const named = Object.entries(search).filter(([name]) => name.startsWith(valuePrefix));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(valuePrefix.length), value]));
}

/** The address of a recipe's form with these values. */
export function linkTo(recipe: string, values: Readonly<Record<string, string>>): string {
  const named = Object.entries(values).map(([name, value]) => [valuePrefix + name, value]);
  const url = new URL('/recipes', window.location.origin);
  url.search = new URLSearchParams([['recipe', recipe], ...named]).toString();
  return url.href;
}
