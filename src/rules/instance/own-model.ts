/** Begins the name of a model that an account uses with a key of its own, in logs, usage, and messages: `own:provider/model`. */
const mark = 'own:';

export function markOwn(name: string): string {
  return `${mark}${name}`;
}

/** Whether a call of this model was made with a key of the account. */
export function isOwnModel(name: string | null): boolean {
  return name?.startsWith(mark) ?? false;
}

/** The name as the provider knows it: `provider/model`. */
export function unmarkOwn(name: string): string {
  return isOwnModel(name) ? name.slice(mark.length) : name;
}

/** An SQL condition that is `isOwnModel` for a column. */
export function isOwnInSql(column: string): string {
  return `${column} LIKE '${mark}%'`;
}
