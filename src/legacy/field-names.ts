function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * v1 was written in camelCase, and some of its clients and pages say the same fields in snake_case
 * (docs/reference/wire-format.md#v1-names). A field that the schema knows only by the first name is taken by either; where both
 * are sent, the first counts.
 */
export function readFieldNames(known: Readonly<Record<string, unknown>>, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const fields: Record<string, unknown> = { ...input };
  for (const [name, value] of Object.entries(input)) {
    const camel = toCamelCase(name);
    if (!Object.hasOwn(known, name) && Object.hasOwn(known, camel)) fields[camel] ??= value;
  }
  return fields;
}
