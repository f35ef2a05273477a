/** The search parameters of the recipes. */
export interface RecipesSearch {
  /** The task to make a recipe from. */
  from?: string;
}

/** Reads the search parameters; invalid ones are dropped. */
export function readRecipesSearch({ from }: Record<string, unknown>): RecipesSearch {
  return typeof from === 'string' && from !== '' ? { from } : {};
}
