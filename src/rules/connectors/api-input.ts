import { isJsonObject } from '@errand/base/json-object.ts';

type Schema = Readonly<Record<string, unknown>>;

const deepest = 12;
const mostNames = 40;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function findTypeProblem({ type }: Schema, value: unknown, place: string): string | null {
  const wanted = [type].flat().filter((each) => typeof each === 'string');
  const found = typeOf(value);
  if (wanted.length === 0 || wanted.includes(found) || (found === 'integer' && wanted.includes('number'))) return null;
  const article = found === 'array' || found === 'object' || found === 'integer' ? 'an' : 'a';
  return `\`${place}\` must be of type ${wanted.join(' or ')}; it is ${found === 'null' ? 'null' : `${article} ${found}`}.`;
}

function findObjectProblem(schema: Schema, value: Schema, place: string, depth: number): string | null {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const inside = (name: string) => (place === '' ? name : `${place}.${name}`);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name)) as string | undefined;
  if (missing !== undefined) return `\`${inside(missing)}\` is missing. Give it.`;
  const names = Object.keys(properties);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (schema['additionalProperties'] === false && unknown !== undefined) {
    const known = names.length === 0 ? 'It takes none.' : `The fields are: ${names.slice(0, mostNames).join(', ')}.`;
    return `There is no field \`${inside(unknown.slice(0, 100))}\`. ${known}`;
  }
  for (const name of names) {
    const problem = Object.hasOwn(value, name) ? findProblem(properties[name], value[name], inside(name), depth + 1) : null;
    if (problem !== null) return problem;
  }
  return null;
}

function findEnumProblem({ enum: values }: Schema, value: unknown, place: string): string | null {
  if (!Array.isArray(values) || typeof value === 'object' || values.includes(value)) return null;
  const shown = values
    .slice(0, mostNames)
    .map((each) => JSON.stringify(each))
    .join(', ');
  return `\`${place}\` must be one of ${shown}.`;
}

function findProblem(schema: unknown, value: unknown, place: string, depth: number): string | null {
  if (!isJsonObject(schema) || depth > deepest) return null;
  const problem = findTypeProblem(schema, value, place) ?? findEnumProblem(schema, value, place);
  if (problem !== null) return problem;
  if (isJsonObject(value)) return findObjectProblem(schema, value, place, depth);
  const { items } = schema;
  if (!Array.isArray(value) || items === undefined) return null;
  for (const [at, item] of value.entries()) {
    const inItem = findProblem(items, item, `${place}[${at}]`, depth + 1);
    if (inItem !== null) return inItem;
  }
  return null;
}

/** A field that stands beside the body though it belongs into it, as models write it; undefined for none. */
function findStray({ properties }: Schema, input: Readonly<Record<string, unknown>>): string | undefined {
  const body = isJsonObject(properties) && !Object.hasOwn(input, 'body') ? properties['body'] : null;
  const inside = isJsonObject(body) && isJsonObject(body['properties']) ? body['properties'] : {};
  return Object.keys(input).find(
    (name) => isJsonObject(properties) && !Object.hasOwn(properties, name) && Object.hasOwn(inside, name),
  );
}

/**
 * What is plainly wrong with the input of a call, for the model that wrote it; null if nothing is: fields that do not exist or are missing,
 * types, and listed values. Patterns are never run (docs/internals/decisions/0032-no-schemas-of-others.md); the API judges the rest.
 */
export function findInputProblem(schema: Schema, input: Readonly<Record<string, unknown>>): string | null {
  const stray = findStray(schema, input);
  if (stray !== undefined) return `\`${stray}\` belongs into \`body\`: {"body": {"${stray}": …}}.`;
  return findProblem(schema, input, '', 0);
}
