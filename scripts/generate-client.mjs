import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { operations, webOperations } from '../src/api/index.ts';
import {
  describeRequests,
  describeResponses,
  requestName,
  responseName,
  schemaPlace,
} from '../src/http/openapi/openapi-schemas.ts';

/**
 * @typedef {{ [key: string]: any }} Schema
 */

/**
 * What is written where: the API for programs, and what the web application calls beside it.
 * @typedef {{ file: string, about: string, rows: readonly import('../src/api/contract/operation.ts').Operation[], names: { table: string, name: string, methods: string, secrets?: string }, from?: { name: string, rows: readonly import('../src/api/contract/operation.ts').Operation[] } }} Target
 * @type {readonly Target[]}
 */
export const targets = [
  {
    file: 'packages/client/src/operations.ts',
    about: 'What each operation takes and answers.',
    rows: operations,
    names: { table: 'Operations', name: 'OperationName', methods: 'methods' },
  },
  {
    file: 'web/src/api/web-operations.ts',
    about: 'What each operation at /web takes and answers.',
    rows: webOperations,
    names: { table: 'WebOperations', name: 'WebOperationName', methods: 'webMethods', secrets: 'webSecrets' },
    from: { name: '@errand/client', rows: operations },
  },
];
const command = 'node scripts/generate-client.mjs';

const scalars = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/**
 * @param {string | undefined} text
 * @param {string} indent
 */
function comment(text, indent) {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

/** @param {string} name */
const quoteName = (name) => (/^[a-zA-Z_]\w*$/.test(name) ? name : `'${name}'`);

/**
 * An object type, a property a line.
 * @param {Schema} schema
 * @param {string} indent
 */
function objectType({ properties = {}, required = [], additionalProperties }, indent) {
  const names = Object.keys(properties);
  if (names.length === 0) {
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties, indent)}>`
      : 'Record<string, unknown>';
  }
  const inner = `${indent}  `;
  const lines = names.map((name) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(properties[name].description, inner)}${inner}${quoteName(name)}${mark}: ${typeOf(properties[name], inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** @param {string} type */
const inArray = (type) => (type.includes(' | ') ? `(${type})[]` : `${type}[]`);

/**
 * The TypeScript type of values that a schema describes.
 * @param {Schema} schema
 * @param {string} indent
 * @returns {string}
 */
export function typeOf(schema, indent = '') {
  if (schema.$ref) return schema.$ref.slice(schemaPlace.length);
  if (schema.enum)
    return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const).replaceAll('"', "'");
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return [...new Set(forms.map((/** @type {Schema} */ form) => typeOf(form, indent)))].join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((/** @type {string} */ type) => typeOf({ ...schema, type }, indent)).join(' | ');
  if (schema.type === 'array') return inArray(typeOf(schema.items ?? {}, indent));
  if (schema.type === 'object') return objectType(schema, indent);
  return scalars.get(schema.type) ?? 'unknown';
}

/** An operation without parameters takes an empty object. @param {Schema} schema @param {string} indent */
function requestType(schema, indent) {
  return Object.keys(schema.properties ?? {}).length === 0 ? 'Record<string, never>' : objectType(schema, indent);
}

/**
 * The operations with a secret in the request or the answer, which take no idempotency key.
 * @param {string} constant
 * @param {string} type
 * @param {Target['rows']} calls
 */
function renderSecrets(constant, type, calls) {
  const names = calls.filter(({ hasSecret }) => hasSecret).map(({ name }) => `  '${name}',\n`);
  return `\n/** With a secret in the request or the answer: they take no idempotency key. */\nexport const ${constant}: ReadonlySet<${type}> = new Set<${type}>([\n${names.join('')}]);\n`;
}

/** What operations take and answer, and the types that several of them share, by name. @param {Target['rows']} described */
function describeAll(described) {
  const [requests, responses] = [describeRequests(described), describeResponses(described)];
  const own = new Set(described.flatMap((operation) => [requestName(operation), responseName(operation)]));
  /** @type {Map<string, Schema>} */
  const shared = new Map([...requests, ...responses].filter(([name]) => !own.has(name) && name !== 'Error'));
  const types = [...shared].toSorted(([one], [other]) => one.localeCompare(other));
  return { requests, responses, types };
}

/** A shared type, as it is exported. @param {[name: string, schema: Schema]} type */
const renderType = ([name, schema]) => `\n${comment(schema.description, '')}export type ${name} = ${typeOf(schema)};\n`;

/**
 * The types of a file: those that another package has already, to the character, are imported from there.
 * @param {readonly [string, Schema][]} types
 * @param {string} body what names them
 * @param {Target['from']} from
 */
function renderTypes(types, body, from) {
  const known = new Set(from === undefined ? [] : describeAll(from.rows).types.map(renderType));
  const text = types
    .map(renderType)
    .filter((type) => !known.has(type))
    .join('');
  const there = types.filter((type) => known.has(renderType(type)));
  const used = there.map(([name]) => name).filter((name) => new RegExp(`: [^;'/]*\\b${name}\\b`).test(text + body));
  return used.length === 0 || from === undefined ? text : `\nimport type { ${used.join(', ')} } from '${from.name}';\n${text}`;
}

/** One whole file. @param {Target} target */
export function renderClient({ about, rows: described, names, from }) {
  const { requests, responses, types } = describeAll(described);
  const calls = described.filter(({ kind }) => kind === 'reply');
  const rows = calls.map((operation) => {
    const request = requestType(requests.get(requestName(operation)) ?? {}, '    ');
    const response = typeOf(responses.get(responseName(operation)) ?? {}, '    ');
    return `${comment(operation.summary, '  ')}  '${operation.name}': {\n    request: ${request};\n    response: ${response};\n  };\n`;
  });
  const table = `\n/** ${about} */\nexport interface ${names.table} {\n${rows.join('')}}\n`;
  return [
    `// Generated by \`${command}\` from src/api; changes belong there.\n`,
    renderTypes(types, table, from),
    table,
    `\nexport type ${names.name} = keyof ${names.table};\n`,
    `\nexport const ${names.methods} = {\n${calls.map(({ name, method }) => `  '${name}': '${method}',\n`).join('')}} as const satisfies Record<${names.name}, 'GET' | 'POST'>;\n`,
    ...(names.secrets === undefined ? [] : [renderSecrets(names.secrets, names.name, calls)]),
  ].join('');
}

if (import.meta.main) {
  for (const target of targets) {
    const file = path.join(import.meta.dirname, '..', target.file);
    const text = renderClient(target);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${target.file} is not what src/api says; run ${command}`);
      process.exitCode = 1;
    }
  }
}
