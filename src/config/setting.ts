/** What is wrong with a value, as the end of a sentence that begins with the variable's name. It never repeats the value, which may be a secret. */
export class WrongValue extends Error {}

/** One environment variable. An empty text counts as not set. */
export interface Setting<Value> {
  /** What it sets, in one sentence. */
  about: string;
  /** The value where the variable is not set. */
  fallback: Value;
  /** What to say about the fallback where it is not a text, number or boolean that speaks for itself. */
  fallbackText?: string;
  example: string;
  /** True while the part of the service that it is for is missing: it is checked and has no effect. */
  isPending?: boolean;
  /** Throws `WrongValue`. */
  read(text: string): Value;
}

/** Gives a row of the table its type. */
export function setting<Value>(row: Setting<Value>): Setting<Value> {
  return row;
}

/** The default as people read it. */
export function describeFallback(row: { fallback: string | number | boolean | object | null; fallbackText?: string }): string {
  if (row.fallbackText !== undefined) return row.fallbackText;
  return typeof row.fallback === 'object' ? 'none' : String(row.fallback);
}
