import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adminOperations, operations, webOperations } from '../src/api/index.ts';
import {
  describeRequests,
  describeResponses,
  requestName,
  responseName,
  schemaPlace,
} from '../src/http/openapi/openapi-schemas.ts';

/**
 * @typedef {import('../src/api/contract/operation.ts').Operation} Operation
 * @typedef {{ [key: string]: any }} Schema
 */

export const target = 'docs/operations.md';
const command = 'node scripts/generate-operations.mjs';

const introduction = `<!-- Written by \`${command}\` from src/api; changes belong there. -->

# Operations

Every operation is one address: reads are GET with query parameters, writes are POST with a JSON object. A success is
\`{"ok": true, "request_id": …}\` with the fields below, a failure \`{"ok": false, "request_id": …, "error": {"code", "message"}}\`
(see [errors](errors/README.md)). Fields that are not listed are ignored. Requests carry an API key in \`x-service-api-key\`.

A POST may carry an \`Idempotency-Key\` of up to 255 visible ASCII characters: within 24 hours the same key with the same body
gives the same answer, with the header \`idempotent-replayed: true\`, and does nothing again.

A list that has more answers \`has_more: true\` and \`next_cursor\`; the next page is the same query with that \`cursor\`.
`;

const operatorIntroduction = `
# Operations of the operator

These are served on the control socket in the data directory (\`control.sock\`) and to the commands of \`errand\`, never on the
port. The header \`x-errand-account\` names the account to act for, by e-mail address or id; without it, the first one. The
operations above can be called there as well.
`;

const webIntroduction = `
# Operations of the web application

These are served at \`/web/<name>\` to pages of the service itself: with the cookie of whoever is signed in and the header
\`x-errand-web: 1\`, which pages of other sites cannot send. The operations for programs take the same sign-in. What is called by
API keys and applications answers 403 here. Of the operator's operations these are offered to people for their own account:
${webOperations
  .filter(({ access }) => access === 'own')
  .map(({ name }) => `[${name}](#${name.toLowerCase().replaceAll('.', '')})`)
  .join(', ')}.
`;

/** @param {string} name */
const linkTo = (name) => `[${name}](#${name.toLowerCase()})`;

/**
 * The type of a schema in a few words.
 * @param {Schema} schema
 * @returns {string}
 */
function tellType(schema) {
  if (schema.$ref) return linkTo(schema.$ref.slice(schemaPlace.length));
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => `\`${String(value)}\``).join(', ');
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return forms.map(tellType).join(' or ');
  if (schema.type === 'array') return `array of ${tellType(schema.items ?? {})}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return schema.type ?? 'any';
}

/** @param {Schema} schema */
function tellLimits({ type, minimum, maximum, default: fallback }) {
  const range = type === 'integer' && minimum !== undefined && maximum !== undefined ? [`From ${minimum} to ${maximum}.`] : [];
  return [...range, ...(fallback === undefined ? [] : [`Default: \`${fallback}\`.`])].join(' ');
}

/**
 * One row for each field, and for each field of an object inside.
 * @param {Schema} schema
 * @param {string} prefix
 * @returns {string[]}
 */
function tellFields(schema, prefix = '') {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const items = field.type === 'array' ? (field.items ?? {}) : field;
    const label = `${prefix}${name}${field.type === 'array' && items.properties ? '[]' : ''}`;
    const notes = [field.description, tellLimits(field)].filter(Boolean).join(' ');
    const row = `| \`${label}\` | ${tellType(field)} | ${required.has(name) ? 'yes' : ''} | ${notes} |`;
    return [row, ...tellFields(items, `${label}.`)];
  });
}

/**
 * @param {string} title
 * @param {Schema} schema
 */
function tellTable(title, schema) {
  const rows = tellFields(schema).filter((row) => !/^\| `(ok|request_id)` /.test(row));
  if (rows.length === 0) return '';
  const whether = title === 'query' || title === 'body' ? 'required' : 'always';
  return `\n| ${title} | type | ${whether} | |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/**
 * @param {Operation} operation
 * @param {ReadonlyMap<string, Schema>} requests
 * @param {ReadonlyMap<string, Schema>} responses
 */
function tellOperation(operation, requests, responses) {
  const { name, method, path: address, cost, summary, details } = operation;
  const request = tellTable(method === 'GET' ? 'query' : 'body', requests.get(requestName(operation)) ?? {});
  const response = tellTable(operation.kind === 'stream' ? 'event' : 'answer', responses.get(responseName(operation)) ?? {});
  const more = details === undefined ? '' : `\n${details}\n`;
  return `\n## ${name}\n\n\`${method} ${address}\` · counts as ${cost}\n\n${summary}\n${more}${request}${response}`;
}

/**
 * Objects that several operations use.
 * @param {ReadonlyMap<string, Schema>} schemas
 */
function tellObjects(schemas) {
  const shared = [...schemas].filter(([name]) => !name.includes('.') && name !== 'Error');
  return shared.map(([name, schema]) => {
    const forms = /** @type {Schema[]} */ (schema.oneOf ?? [schema]);
    const about = schema.description === undefined ? '' : `\n${schema.description}\n`;
    return `\n## ${name}\n${about}${forms.map((form) => tellTable(form.properties?.type?.const ?? name, form)).join('')}`;
  });
}

/** The whole page. */
export function renderOperations() {
  const browserOperations = webOperations.filter(({ access }) => access !== 'own');
  const all = [...operations, ...adminOperations, ...browserOperations];
  const [requests, responses] = [describeRequests(all), describeResponses(all)];
  /** @param {Operation} operation */
  const tell = (operation) => tellOperation(operation, requests, responses);
  const objects = tellObjects(new Map([...requests, ...responses]));
  return [
    introduction,
    ...operations.map(tell),
    operatorIntroduction,
    ...adminOperations.map(tell),
    webIntroduction,
    ...browserOperations.map(tell),
    '\n# Objects\n',
    ...objects,
  ].join('');
}

if (import.meta.main) {
  const file = path.join(import.meta.dirname, '..', target);
  const text = renderOperations();
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    console.log(`${target}: ${operations.length + adminOperations.length} operations`);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${target} is not what src/api says\n    Run ${command}.`);
    process.exitCode = 1;
  }
}
