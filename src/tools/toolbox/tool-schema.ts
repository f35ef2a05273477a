import { z } from 'zod';
import type { Schema } from './input-schema.ts';
import { drawShape } from './schema-text.ts';
import type { Tool } from './tool.ts';

const fullSchemas = new WeakMap<Tool, Schema>();

/** The complete input, with every limit. */
export function readFullSchema(tool: Tool): Schema {
  const known = fullSchemas.get(tool);
  if (known) return known;
  const { $schema: _, ...made } = z.toJSONSchema(tool.input, { io: 'input' });
  const schema = (tool.inputSchema ?? made) as Schema;
  fullSchemas.set(tool, schema);
  return schema;
}

function listAlternatives({ anyOf, oneOf }: Schema): readonly Schema[] {
  return anyOf ?? oneOf ?? [];
}

/** Alternatives that differ only in type become one list of types. */
function joinTypes(alternatives: readonly Schema[]): Schema | null {
  const types = alternatives.flatMap(({ type }) => type ?? []);
  const isPlain = alternatives.every(({ type, properties, items }) => type !== undefined && !properties && !items);
  return isPlain && types.length > 0 ? { type: types } : null;
}

function slimObject({ properties = {}, required = [] }: Schema): Schema {
  const disclosure = Object.entries(properties).filter(([, field]) => field.disclosure !== 'later');
  const needed = required.filter((name) => properties[name]?.disclosure !== 'later');
  return {
    properties: Object.fromEntries(disclosure.map(([name, field]) => [name, slimSchema(field)])),
    ...(needed.length > 0 && { required: needed }),
    // Some servers constrain a model to the fields listed in the schema.
    ...(disclosure.length < Object.keys(properties).length && { additionalProperties: true }),
  };
}

/** The input without the fields that only a person can confirm; the same schema if it has none. */
export function omitAsking(schema: Schema): Schema {
  const fields = Object.entries(schema.properties ?? {});
  const kept = fields.filter(([, field]) => field.disclosure !== 'asking');
  return kept.length === fields.length ? schema : { ...schema, properties: Object.fromEntries(kept) };
}

/** Fields, types, and choices, for a good first attempt. Limits are left to validation, which explains them when violated. */
export function slimSchema(schema: Schema): Schema {
  const { type, description, properties, items, enum: choices, disclosure } = schema;
  if (disclosure === 'briefly') return { type: type ?? 'object', description: description ?? drawShape(schema) };
  const alternatives = listAlternatives(schema);
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && disclosure !== 'bare' && { description }),
    ...(choices && { enum: choices }),
    ...(alternatives.length > 0 && (joinTypes(alternatives) ?? { anyOf: alternatives.map(slimSchema) })),
    ...(properties && slimObject(schema)),
    ...(items && { items: slimSchema(items) }),
  };
}

function listParts(schema: Schema): readonly Schema[] {
  return [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : []), ...listAlternatives(schema)];
}

/** Whether the definition leaves out parts of it. */
export function keepsBack(schema: Schema): boolean {
  return schema.disclosure !== undefined || listParts(schema).some(keepsBack);
}

/** The names of the fields that the definition leaves out, in order. */
export function listHeldBack(schema: Schema): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => (field.disclosure === 'later' ? [name] : []));
  const below = listParts(schema).filter(({ disclosure }) => disclosure === undefined);
  return [...new Set([...own, ...below.flatMap(listHeldBack)])];
}

/** Of alternatives that a field tells apart, such as `do`, the one that the value names; otherwise the schema itself. */
function narrow(schema: Schema, value: unknown): Schema {
  if (typeof value !== 'object' || value === null) return schema;
  const isNamed = ({ properties = {} }: Schema) => {
    const fixed = Object.entries(properties).filter(([, field]) => field.const !== undefined);
    return fixed.length > 0 && fixed.every(([name, field]) => Reflect.get(value, name) === field.const);
  };
  return listAlternatives(schema).find(isNamed) ?? schema;
}

/** The part of an input at a path; the last existing one if the path leaves the input. @param value what was given as the input */
export function findPart(schema: Schema, path: readonly PropertyKey[], value: unknown): Schema {
  const own = narrow(schema, value);
  const [first, ...rest] = path;
  if (first === undefined) return own;
  const part = typeof first === 'number' ? own.items : own.properties?.[String(first)];
  const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, first) : undefined;
  return part ? findPart(part, rest, inner) : own;
}
