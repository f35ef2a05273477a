import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { operations, webOperations } from '../src/api/index.ts';
import { renderGo } from './clients/go-client.mjs';
import { renderPython } from './clients/python-client.mjs';
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
    names: { table: 'Operations', name: 'OperationName', methods: 'methods', secrets: 'secretOperations' },
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

/** @typedef {readonly (readonly [name: string, schema: Schema])[]} SharedTypes */

/** @param {Schema} schema */
const countProperties = ({ properties = {} }) => Object.keys(properties).length;

/**
 * Whether an object has all properties of another, which are some.
 * @param {Schema} schema
 * @param {Schema} other
 */
function includesType({ properties = {}, required = [] }, other) {
  const names = Object.keys(other.properties ?? {});
  return (
    names.length > 1 &&
    names.every(
      (name) =>
        isDeepStrictEqual(properties[name], other.properties[name]) &&
        required.includes(name) === (other.required ?? []).includes(name),
    )
  );
}

/**
 * Properties in braces: on one line if they are few and need no comment.
 * @param {readonly string[]} lines
 * @param {string} indent
 */
function wrapProperties(lines, indent) {
  const isShort = lines.join('').length <= 100 && lines.every((line) => line.indexOf('\n') === line.length - 1);
  const short = lines.map((line) => line.trim()).join(' ');
  return isShort ? `{ ${short.slice(0, -1)} }` : `{\n${lines.join('')}${indent}}`;
}

/**
 * An object type, a property a line; where it has all properties of shared types, it names the largest of them.
 * @param {Schema} schema
 * @param {string} indent
 * @param {SharedTypes} shared
 */
function objectType(schema, indent, shared) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) {
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties, indent, shared)}>`
      : 'Record<string, unknown>';
  }
  const [base] = shared
    .filter(([, type]) => includesType(schema, type))
    .toSorted(([, one], [, other]) => countProperties(other) - countProperties(one));
  const inner = `${indent}  `;
  const lines = names
    .filter((name) => base?.[1].properties[name] === undefined)
    .map((name) => {
      const mark = required.includes(name) ? '' : '?';
      return `${comment(properties[name].description, inner)}${inner}${quoteName(name)}${mark}: ${typeOf(properties[name], inner, shared)};\n`;
    });
  const own = lines.length === 0 ? [] : [wrapProperties(lines, indent)];
  return [...(base ? [base[0]] : []), ...own].join(' & ');
}

/** @param {string} type */
const inArray = (type) => (/ [|&] /.test(type) ? `(${type})[]` : `${type}[]`);

/**
 * The TypeScript type of values that a schema describes.
 * @param {Schema} schema
 * @param {string} indent
 * @param {SharedTypes} shared types that may be named
 * @returns {string}
 */
export function typeOf(schema, indent = '', shared = []) {
  if (schema.$ref) return schema.$ref.slice(schemaPlace.length);
  if (schema.enum)
    return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const).replaceAll('"', "'");
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return [...new Set(forms.map((/** @type {Schema} */ form) => typeOf(form, indent, shared)))].join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((/** @type {string} */ type) => typeOf({ ...schema, type }, indent, shared)).join(' | ');
  if (schema.type === 'array') return inArray(typeOf(schema.items ?? {}, indent, shared));
  if (schema.type === 'object') return objectType(schema, indent, shared);
  return scalars.get(schema.type) ?? 'unknown';
}

/** An operation without parameters takes an empty object. @param {Schema} schema @param {string} indent @param {SharedTypes} shared */
function requestType(schema, indent, shared) {
  return Object.keys(schema.properties ?? {}).length === 0 ? 'Record<string, never>' : objectType(schema, indent, shared);
}

const envelope =
  '/** What every answer has, with its own fields. */\nexport type Envelope<Fields> = { ok: true; request_id: string } & Fields;\n';

/** @param {Schema} schema @param {string} indent @param {SharedTypes} shared */
function responseType(schema, indent, shared) {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'ok' && name !== 'request_id');
  if (fields.length === 0) return 'Envelope<unknown>';
  return `Envelope<${objectType({ ...schema, properties: Object.fromEntries(fields) }, indent, shared)}>`;
}

/**
 * The operations with a secret in the request or the answer, which take no idempotency key.
 * @param {string} constant
 * @param {string} type
 * @param {Target['rows']} calls
 */
function renderSecrets(constant, type, calls) {
  const names = calls.filter(({ hasSecret, method }) => hasSecret && method === 'POST').map(({ name }) => `  '${name}',\n`);
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

/**
 * A shared type, as it is exported; it may be more than one of the others, but not the same.
 * @param {readonly [name: string, schema: Schema]} type
 * @param {SharedTypes} shared
 */
function renderType([name, schema], shared) {
  const smaller = shared.filter(([, other]) => countProperties(other) < countProperties(schema));
  return `\n${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '', smaller)};\n`;
}

/** One whole file. @param {Target} target */
function renderClient({ about, rows: described, names, from }) {
  const { requests, responses, types } = describeAll(described);
  const known = from === undefined ? [] : describeAll(from.rows).types;
  const own = types.filter(([name]) => !known.some(([other]) => other === name));
  const shared = [...own, ...known];
  const calls = described.filter(({ kind }) => kind === 'reply');
  const rows = calls.map((operation) => {
    const request = requestType(requests.get(requestName(operation)) ?? {}, '    ', shared);
    const response = responseType(responses.get(responseName(operation)) ?? {}, '    ', shared);
    return `${comment(operation.summary, '  ')}  '${operation.name}': {\n    request: ${request};\n    response: ${response};\n  };\n`;
  });
  const table = `\n/** ${about} */\nexport interface ${names.table} {\n${rows.join('')}}\n`;
  const text = own.map((type) => renderType(type, shared)).join('');
  const imported = [...known.map(([name]) => name), 'Envelope']
    .toSorted()
    .filter((name) => new RegExp(`[:=&] [^;'/]*\\b${name}\\b`).test(text + table));
  return [
    `// Generated by \`${command}\` from src/api; changes belong there.\n`,
    from === undefined ? `\n${envelope}` : `\nimport type { ${imported.join(', ')} } from '${from.name}';\n`,
    text,
    table,
    `\nexport type ${names.name} = keyof ${names.table};\n`,
    `\nexport const ${names.methods} = {\n${calls.map(({ name, method }) => `  '${name}': '${method}',\n`).join('')}} as const satisfies Record<${names.name}, 'GET' | 'POST'>;\n`,
    ...(names.secrets === undefined ? [] : [renderSecrets(names.secrets, names.name, calls)]),
  ].join('');
}

if (import.meta.main) {
  const own = targets.map((target) => /** @type {const} */ ([target.file, renderClient(target)]));
  for (const [place, text] of [...own, ...renderPython(), ...renderGo()]) {
    const file = path.join(import.meta.dirname, '..', place);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${place} is not what src/api says; run ${command}`);
      process.exitCode = 1;
    }
  }
}
