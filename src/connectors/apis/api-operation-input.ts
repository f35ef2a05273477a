import { isJsonObject } from '@errand/base/json-object.ts';
import {
  type ApiBody,
  apiLimits,
  type ApiParameter,
  isOpenHeader,
  type ParameterStyle,
} from '../../rules/connectors/api-operation.ts';
import { clean, convertSchema, describeValue, type Json, type References, TooLarge, Unusable } from './api-schema.ts';

interface Described {
  path: string;
  operation: Json;
  common: unknown;
}

interface Field {
  parameter: ApiParameter;
  isRequired: boolean;
  schema: unknown;
  description: string;
}

export interface OperationInput {
  inputSchema: Record<string, unknown>;
  parameters: ApiParameter[];
  body: ApiBody | null;
}

/** Levels of schemas, from what is wanted to what always fits. */
const depths = [10, 6, 4, 3, 2, 1];
const mostParameters = 100;

function readStyle(parameter: Json, place: string): ParameterStyle {
  const { style, explode } = parameter;
  if (isJsonObject(parameter['content'])) return 'json';
  if (place !== 'query') return 'comma';
  if (style === 'deepObject') return 'deep';
  if (style === 'spaceDelimited') return explode === true ? 'repeat' : 'space';
  if (style === 'pipeDelimited') return explode === true ? 'repeat' : 'pipe';
  return explode === false ? 'comma' : 'repeat';
}

/** A schema of a parameter, which may stand below the only media type of its content. */
function readSchema({ schema, content }: Json): unknown {
  if (!isJsonObject(content)) return schema;
  const [media] = Object.values(content);
  return isJsonObject(media) ? media['schema'] : undefined;
}

function readField(parameter: Json, fields: Set<string>): Field | null {
  const { in: place, name, required, style } = parameter;
  if (typeof name !== 'string' || name === '' || name.length > 200) throw new Unusable('it has a parameter without a name');
  const isRequired = required === true || place === 'path';
  if (place === 'header' && !isOpenHeader(name)) {
    // What the standard leaves to the sign-in and the body.
    if (!isRequired || /^(accept|content-type|authorization)$/i.test(name)) return null;
    throw new Unusable(`it requires the header ${clean(name, 64)}, which calls cannot set`);
  }
  if (place === 'cookie') {
    if (!isRequired) return null;
    throw new Unusable(`it requires the cookie ${clean(name, 64)}`);
  }
  if (place !== 'path' && place !== 'query' && place !== 'header') throw new Unusable(`it has a parameter in no known place`);
  if (style === 'matrix' || style === 'label') throw new Unusable(`its parameter ${clean(name, 64)} has the style ${style}`);
  const plain =
    name
      .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 56) || 'value';
  const wanted = plain === 'body' ? 'body_parameter' : plain;
  let field = fields.has(wanted) ? `${wanted}_${place}` : wanted;
  for (let count = 2; fields.has(field); count += 1) field = `${wanted}_${count}`;
  fields.add(field);
  return {
    parameter: { field, name, in: place, style: readStyle(parameter, place) },
    ...{ isRequired, description: describeValue(parameter), schema: readSchema(parameter) },
  };
}

/** The parameters of an operation; its own replace those of its path. */
function readFields(
  references: References,
  { operation, common }: Described,
  taken: { in: string; name: string } | null,
): Field[] {
  const byPlace = new Map<string, Json>();
  for (const list of [common, operation['parameters']]) {
    if (!Array.isArray(list)) continue;
    if (list.length > mostParameters) throw new Unusable(`it has more than ${mostParameters} parameters`);
    for (const each of list) {
      const parameter = references.object(each);
      if (parameter) byPlace.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
    }
  }
  const isTaken = ({ in: place, name }: Json) =>
    taken !== null && place === taken.in && typeof name === 'string' && name.toLowerCase() === taken.name.toLowerCase();
  const fields = new Set<string>();
  return [...byPlace.values()].flatMap((parameter) => (isTaken(parameter) ? [] : (readField(parameter, fields) ?? [])));
}

function kindOf(mediaType: string): ApiBody['kind'] | null {
  const plain = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (plain === 'application/json' || plain.endsWith('+json')) return 'json';
  if (plain === 'application/x-www-form-urlencoded') return 'form';
  return plain.startsWith('text/') || plain === 'application/xml' ? 'text' : null;
}

/** The body in the form that a call can send best; JSON before forms before text. */
function readBody(references: References, { operation }: Described) {
  const described = operation['requestBody'] === undefined ? null : references.object(operation['requestBody']);
  if (!described || !isJsonObject(described['content'])) return null;
  const kinds = ['json', 'form', 'text'] as const;
  const all = Object.entries(described['content']);
  for (const kind of kinds) {
    const [mediaType, media] = all.find(([type]) => kindOf(type) === kind) ?? [];
    if (mediaType === undefined || !/^[\w.+/;= -]{1,100}$/.test(mediaType)) continue;
    const schema = isJsonObject(media) ? media['schema'] : undefined;
    return { body: { kind, mediaType }, schema, isRequired: described['required'] === true, about: described['description'] };
  }
  if (described['required'] !== true) return null;
  const [other = 'no known type'] = all.map(([type]) => type);
  throw new Unusable(`it takes ${clean(other, 60)}; calls send JSON, form fields, or text`);
}

function writeSchema(references: References, fields: readonly Field[], body: ReturnType<typeof readBody>, depth: number) {
  const convert = (schema: unknown) => convertSchema(schema, { references, depth, above: [] });
  const properties = fields.map(({ parameter, schema, description }) => {
    const converted = convert(schema);
    return [parameter.field, { ...converted, ...(description !== '' && { description }) }] as const;
  });
  const required = fields.flatMap(({ parameter, isRequired }) => (isRequired ? [parameter.field] : []));
  const sent = body && { ...convert(body.schema), ...(clean(body.about) !== '' && { description: clean(body.about) }) };
  if (body?.isRequired) required.push('body');
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(properties),
      ...(sent && { body: body.body.kind === 'text' ? { ...sent, type: 'string' } : sent }),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema to this depth; null if that takes too long. */
function writeInTime(references: References, ...args: readonly [readonly Field[], ReturnType<typeof readBody>, number]) {
  try {
    return writeSchema(references.restart(), ...args);
  } catch (error) {
    if (error instanceof TooLarge) return null;
    throw error;
  }
}

/** What a call of the operation takes, as deep as its bound allows. Throws `Unusable`. */
export function readInput(
  references: References,
  described: Described,
  taken: { in: string; name: string } | null,
): OperationInput {
  const fields = readFields(references, described, taken);
  const open = [...described.path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  const lost = open.find((name) => !fields.some(({ parameter }) => parameter.in === 'path' && parameter.name === name));
  if (lost !== undefined) throw new Unusable(`nothing describes {${clean(lost, 64)}} of its path`);
  const body = readBody(references, described);
  const parameters = fields.map(({ parameter }) => parameter);
  for (const depth of depths) {
    const inputSchema = writeInTime(references, fields, body, depth);
    if (inputSchema && Buffer.byteLength(JSON.stringify(inputSchema)) <= apiLimits.schemaBytes) {
      return { inputSchema, parameters, body: body?.body ?? null };
    }
  }
  throw new TooLarge();
}
