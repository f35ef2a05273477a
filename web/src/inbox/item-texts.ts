/** The text for a type of item; that for others if a newer service sends one that this version does not know. */
export function textOf<Value>(texts: Readonly<Record<string, Value>>, type: string): Value {
  return texts[type] ?? (texts['other'] as Value);
}
