/** Completes a sentence that starts with the variable's name. Never repeats the value, which may be a secret. */
export class WrongValue extends Error {}

/** One environment variable. An empty text counts as not set. */
export interface Setting<Value> {
  /** One-sentence description. */
  about: string;
  /** The value where the variable is not set. */
  fallback: Value;
  /** Description of the fallback, if its value is not self-explanatory. */
  fallbackText?: string;
  example: string;
  /** Throws `WrongValue`. */
  read(text: string): Value;
}

/** Infers the type of a row. */
export function setting<Value>(row: Setting<Value>): Setting<Value> {
  return row;
}

/** The default as people read it. */
export function describeFallback(row: { fallback: string | number | boolean | object | null; fallbackText?: string }): string {
  if (row.fallbackText !== undefined) return row.fallbackText;
  return typeof row.fallback === 'object' ? 'none' : String(row.fallback);
}

/** A copy of an object without its empty members. */
export function pickGiven<Name extends string>(
  values: Record<Name, string | null | undefined>,
): Readonly<Partial<Record<Name, string>>> {
  return Object.freeze(Object.fromEntries(Object.entries(values).filter(([, value]) => value))) as Partial<Record<Name, string>>;
}
