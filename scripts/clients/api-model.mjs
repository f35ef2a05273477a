import { operations } from '../../src/api/index.ts';
import {
  describeRequests,
  describeResponses,
  requestName,
  responseName,
  schemaPlace,
} from '../../src/http/openapi/openapi-schemas.ts';

/**
 * The operation table as clients of other languages need it: every object has a name, and types are expressions over names.
 * @typedef {{ [key: string]: any }} Schema
 * @typedef {'string' | 'integer' | 'number' | 'boolean' | 'any'} Scalar
 * @typedef {{ kind: 'scalar', of: Scalar } | { kind: 'list', of: Type } | { kind: 'map', of: Type } | { kind: 'name', name: string }
 *   | { kind: 'enum', values: readonly (string | number | boolean)[] } | { kind: 'union', forms: readonly Type[] }
 *   | { kind: 'null' }} Type
 * @typedef {{ name: string, isRequired: boolean, type: Type, about?: string | undefined }} Field
 * @typedef {{ name: string, fields: readonly Field[], about?: string | undefined }} NamedType
 * @typedef {{ name: string, noun: string, action: string, method: 'GET' | 'POST', about: string, hasSecret: boolean, request: NamedType, response: NamedType }} Call
 * @typedef {{ types: readonly NamedType[], calls: readonly Call[], aliases: ReadonlyMap<string, Type> }} ApiModel
 */

const scalars = new Set(['string', 'integer', 'number', 'boolean']);

/** `webhook.rotateSecret` is `WebhookRotateSecret`. @param {string} text */
export function toPascal(text) {
  return text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `rotateSecret` is `rotate_secret`. @param {string} text */
export function toSnake(text) {
  return text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Collects the objects of schemas under names of their own. */
class Names {
  /** @type {Map<string, NamedType>} */
  types = new Map();

  /** @param {string} wanted @param {Omit<NamedType, 'name'>} content */
  add(wanted, content) {
    let name = wanted;
    for (let more = 2; this.types.has(name); more++) name = `${wanted}${more}`;
    const type = { name, ...content };
    this.types.set(name, type);
    return type;
  }

  /** @param {string} name @param {Schema} schema */
  addObject(name, { properties = {}, required = [], description }) {
    // The name is taken before those of the fields.
    const type = this.add(name, { fields: [], about: description });
    const fields = Object.entries(/** @type {Record<string, Schema>} */ (properties)).map(([field, schema]) => ({
      name: field,
      isRequired: required.includes(field),
      type: this.read(schema, nameOfField(type.name, field)),
      about: /** @type {string | undefined} */ (schema.description),
    }));
    return Object.assign(type, { fields });
  }

  /** @param {Schema} schema @param {string} name for an object @returns {Type} */
  read(schema, name) {
    if (schema.$ref) return { kind: 'name', name: toPascal(schema.$ref.slice(schemaPlace.length)) };
    if (schema.enum) return { kind: 'enum', values: schema.enum };
    if ('const' in schema) return schema.const === null ? { kind: 'null' } : { kind: 'enum', values: [schema.const] };
    const forms = schema.anyOf ?? schema.oneOf;
    if (forms)
      return { kind: 'union', forms: forms.map((/** @type {Schema} */ form) => this.read(form, nameOfForm(form, name))) };
    if (Array.isArray(schema.type)) {
      return { kind: 'union', forms: schema.type.map((/** @type {string} */ type) => this.read({ ...schema, type }, name)) };
    }
    if (schema.type === 'array') return { kind: 'list', of: this.read(schema.items ?? {}, `${name}Item`) };
    if (schema.type === 'object') return this.readObject(schema, name);
    if (schema.type === 'null') return { kind: 'null' };
    return { kind: 'scalar', of: scalars.has(schema.type) ? schema.type : 'any' };
  }

  /** @param {Schema} schema @param {string} name @returns {Type} */
  readObject(schema, name) {
    if (Object.keys(schema.properties ?? {}).length > 0) return { kind: 'name', name: this.addObject(name, schema).name };
    const { additionalProperties } = schema;
    const of = typeof additionalProperties === 'object' ? this.read(additionalProperties, `${name}Value`) : undefined;
    return { kind: 'map', of: of ?? { kind: 'scalar', of: 'any' } };
  }
}

/** The content of an event of type `user_message` is in a field of that name. @param {string} owner @param {string} field */
function nameOfField(owner, field) {
  const name = toPascal(field);
  return owner.endsWith(name) ? `${owner}Content` : owner + name;
}

/** Forms that are told apart by a constant, as events by their `type`, are named after it. @param {Schema} form @param {string} name */
function nameOfForm(form, name) {
  const constant = form.properties?.type?.const;
  return typeof constant === 'string' ? `${name}${toPascal(constant)}` : name;
}

/** @returns {ApiModel} */
export function readApiModel() {
  const names = new Names();
  const [requests, responses] = [describeRequests(operations), describeResponses(operations)];
  const own = new Set(operations.flatMap((operation) => [requestName(operation), responseName(operation)]));
  /** @type {Map<string, Type>} */
  const aliases = new Map();
  for (const [name, schema] of [...responses, ...requests]) {
    if (own.has(name) || name === 'Error' || names.types.has(toPascal(name)) || aliases.has(toPascal(name))) continue;
    if (schema.type === 'object' && schema.properties) names.addObject(toPascal(name), schema);
    else aliases.set(toPascal(name), names.read(schema, toPascal(name)));
  }
  const calls = operations
    .filter(({ kind }) => kind === 'reply')
    .map((operation) => {
      const { name, method, summary, hasSecret = false } = operation;
      const [noun = '', action = ''] = name.split('.');
      const response = responses.get(responseName(operation)) ?? {};
      const { ok: _, ...properties } = /** @type {Schema} */ (response.properties ?? {});
      return {
        ...{ name, noun, action, method, about: summary, hasSecret },
        request: names.addObject(`${toPascal(name)}Request`, requests.get(requestName(operation)) ?? {}),
        response: names.addObject(`${toPascal(name)}Response`, { ...response, properties }),
      };
    });
  return { types: [...names.types.values()], calls, aliases };
}

/** The resources and their operations, in the order of the table. @param {ApiModel} model @returns {[string, Call[]][]} */
export function groupByNoun({ calls }) {
  return [...Map.groupBy(calls, ({ noun }) => noun)];
}
