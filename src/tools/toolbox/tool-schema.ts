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

/** The part of an input at a path; the last existing one if the path leaves the input. */
export function findPart(schema: Schema, path: readonly PropertyKey[]): Schema {
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  const part = typeof first === 'number' ? schema.items : schema.properties?.[String(first)];
  return part ? findPart(part, rest) : schema;
}
