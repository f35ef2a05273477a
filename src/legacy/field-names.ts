/** `agentProfile` for `agent_profile`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * v1 used camelCase, but some of its clients and pages use snake_case for the same fields (docs/reference/wire-format.md#v1-names). Fields
 * known to the schema in camelCase are accepted in both forms; if both are sent, camelCase counts.
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
