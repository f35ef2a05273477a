/** An additional field of a decision, as its schema describes it. */
export type ConfirmField =
  | { kind: 'flag'; name: string; label: string }
  | { kind: 'choice'; name: string; label: string; options: readonly string[] }
  | { kind: 'text' | 'number'; name: string; label: string };

/** Flags that allow more than this one action. */
export const lastingFields = new Set(['always_allow', 'global_allow']);

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function readField(name: string, value: unknown): ConfirmField | null {
  const { type, enum: options, description, title } = asRecord(value);
  const label = [title, description, name].find((one) => typeof one === 'string' && one !== '') as string;
  if (Array.isArray(options) && options.every((option) => typeof option === 'string')) {
    return { kind: 'choice', name, label, options };
  }
  if (type === 'boolean') return { kind: 'flag', name, label };
  if (type === 'string') return { kind: 'text', name, label };
  return type === 'number' || type === 'integer' ? { kind: 'number', name, label } : null;
}

/** Whether a schema describes a yes/no decision. */
export function asksToAccept(schema: Readonly<Record<string, unknown>>): boolean {
  return 'accept' in asRecord(schema['properties']);
}

/** The fields of a schema besides `accept`; fields of unsupported types are omitted. */
export function readConfirmFields(schema: Readonly<Record<string, unknown>>): readonly ConfirmField[] {
  return Object.entries(asRecord(schema['properties'])).flatMap(([name, value]) => {
    return name === 'accept' ? [] : (readField(name, value) ?? []);
  });
}
