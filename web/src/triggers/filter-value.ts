/** The value of a condition from what was entered: JSON if it is some, otherwise text. */
export function readFilterValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A filter value as it can be entered again: text without quotes, unless it would then be read as something else. */
export function showFilterValue(value: unknown): string {
  const isPlain = typeof value === 'string' && readFilterValue(value) === value;
  return isPlain ? value : JSON.stringify(value);
}
