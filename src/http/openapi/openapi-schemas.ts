import { z } from 'zod';
import type { Operation } from '../../api/contract/operation.ts';
import { faultStatus } from '@errand/base/fault.ts';

export type JsonObject = Record<string, unknown>;

/** Where schemas are in the document. */
export const schemaPlace = '#/components/schemas/';

const errorSchema = z.object({
  ok: z.literal(false),
  request_id: z.string(),
  error: z.object({
    code: z.enum(Object.keys(faultStatus)),
    message: z.string(),
    param: z.string().optional().meta({ description: 'The field of the request that an `invalid_argument` is about.' }),
    doc_url: z.string().optional().meta({ description: 'The page of the documentation about this code.' }),
  }),
});

export const requestName = (operation: Operation) => `${operation.name}.request`;
export const responseName = (operation: Operation) => `${operation.name}.response`;

function envelopeOf(operation: Operation): z.ZodType {
  if (operation.kind === 'stream') return operation.response;
  return z.object({ ok: z.literal(true), request_id: z.string(), ...operation.response.shape });
}

/** Keywords that serve validation only and would mislead a reader of the document. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonObject }): void {
  const { shownAs } = (z.globalRegistry.get(zodSchema) ?? {}) as { shownAs?: JsonObject };
  const drop = (key: string) => Reflect.deleteProperty(jsonSchema, key);
  if (shownAs) {
    Object.keys(jsonSchema).forEach(drop);
    Object.assign(jsonSchema, shownAs);
  }
  // Responses may gain fields, so the document does not exclude others.
  if (jsonSchema.additionalProperties === false) drop('additionalProperties');
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) drop('minimum');
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) drop('maximum');
}

/** Null means an omitted field; the document need not mention it. */
function withoutNull(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const schema = value as JsonObject;
  if (Array.isArray(schema.type)) {
    const types = (schema.type as unknown[]).filter((type) => type !== 'null');
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  if (!Array.isArray(schema.anyOf)) return schema;
  const { anyOf, ...rest } = schema as { anyOf: JsonObject[] };
  const forms = anyOf.filter((form) => form.type !== 'null');
  return forms.length === 1 ? { ...forms[0], ...rest } : { ...rest, anyOf: forms };
}

/** JSON Schemas of one direction, by the given names: named ones (`meta({id})`) are separate and referenced. */
export function describeSchemas(schemas: ReadonlyMap<string, z.ZodType>, io: 'input' | 'output'): Map<string, JsonObject> {
  const all = z.object(Object.fromEntries(schemas));
  const { properties = {}, $defs = {} } = z.toJSONSchema(all, { io, override: tidy }) as {
    properties?: JsonObject;
    $defs?: JsonObject;
  };
  const text = JSON.stringify({ ...properties, ...$defs }).replaceAll('"#/$defs/', `"${schemaPlace}`);
  const plain = JSON.parse(text, io === 'input' ? withoutNull : undefined) as Record<string, JsonObject>;
  return new Map(Object.entries(plain));
}

/** Parameters of a query; `meta` may describe them as more than text. */
export function describeQuery({ properties = {}, required = [] }: JsonObject): JsonObject[] {
  const isRequired = new Set(required as string[]);
  return Object.entries(properties as Record<string, JsonObject>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: isRequired.has(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** Request schemas by `requestName`, with the schemas they reference. */
export function describeRequests(operations: readonly Operation[]): Map<string, JsonObject> {
  return describeSchemas(new Map(operations.map((operation) => [requestName(operation), operation.request])), 'input');
}

/** Response schemas by `responseName`, with the schemas they reference, and `Error`. */
export function describeResponses(operations: readonly Operation[]): Map<string, JsonObject> {
  const answers = operations.map((operation) => [responseName(operation), envelopeOf(operation)] as const);
  return describeSchemas(new Map([['Error', errorSchema], ...answers]), 'output');
}
