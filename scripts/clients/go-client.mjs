import { groupByNoun, readApiModel, toPascal } from './api-model.mjs';

/** @typedef {import('./api-model.mjs').Type} Type @typedef {import('./api-model.mjs').Field} Field @typedef {import('./api-model.mjs').NamedType} NamedType @typedef {import('./api-model.mjs').ApiModel} ApiModel @typedef {import('./api-model.mjs').Call} Call */

const scalars = { string: 'string', integer: 'int64', number: 'float64', boolean: 'bool', any: 'any' };
/** @type {Record<string, string>} */
const initialisms = { Id: 'ID', Ids: 'IDs', Url: 'URL', Api: 'API', Ip: 'IP', Html: 'HTML', Json: 'JSON' };

/** `task_id` is `TaskID`. @param {string} name */
function exported(name) {
  const words = name.split(/[^a-zA-Z0-9]+/).map(toPascal);
  return words.map((word) => initialisms[word] ?? word).join('');
}

/** The one Go type of several: that of all forms, or any. @param {readonly Type[]} forms */
function unionType(forms) {
  const types = new Set(forms.filter(({ kind }) => kind !== 'null').map(typeOf));
  const [only] = types;
  return types.size === 1 && only !== undefined ? only : 'any';
}

/** @param {Type} type @returns {string} */
function typeOf(type) {
  if (type.kind === 'scalar') return scalars[type.of];
  if (type.kind === 'name') return type.name;
  if (type.kind === 'list') return `[]${typeOf(type.of)}`;
  if (type.kind === 'map') return `map[string]${typeOf(type.of)}`;
  if (type.kind === 'union') return unionType(type.forms);
  if (type.kind === 'null') return 'any';
  return typeof type.values[0] === 'string' ? 'string' : typeof type.values[0] === 'boolean' ? 'bool' : 'float64';
}

/** @param {Type} type */
const isNullable = (type) => type.kind === 'union' && type.forms.some(({ kind }) => kind === 'null');

/** What may be absent or null is a pointer, unless its own zero value says so. @param {Field} field */
function fieldType({ isRequired, type }) {
  const shown = typeOf(type);
  const hasNil = shown === 'any' || shown.startsWith('[]') || shown.startsWith('map[');
  return hasNil || (isRequired && !isNullable(type)) ? shown : `*${shown}`;
}

/** Lines of a struct as gofmt writes them: fields without a comment in between are aligned. @param {readonly Field[]} fields */
function renderFields(fields) {
  /** @type {string[]} */
  const blocks = [];
  /** @type {(readonly [string, string, string])[]} */
  let run = [];
  const flush = () => {
    if (run.length === 0) return;
    const [nameWidth = 0, typeWidth = 0] = [0, 1].map((at) => Math.max(...run.map((row) => (row[at] ?? '').length)));
    blocks.push(run.map(([name, type, tag]) => `\t${name.padEnd(nameWidth)} ${type.padEnd(typeWidth)} ${tag}\n`).join(''));
    run = [];
  };
  for (const field of fields) {
    const tag = `\`json:"${field.name}${field.isRequired ? '' : ',omitempty'}"\``;
    const row = /** @type {const} */ ([exported(field.name), fieldType(field), tag]);
    if (field.about === undefined) run.push(row);
    else {
      flush();
      blocks.push(`\t// ${field.about.replaceAll(/\s+/g, ' ')}\n\t${row.join(' ')}\n`);
    }
  }
  flush();
  return blocks.join('\n');
}

/** @param {NamedType} type */
function renderType({ name, fields, about }) {
  const doc = `// ${name}${about === undefined ? ' is part of the API.' : `: ${about.replaceAll(/\s+/g, ' ')}`}\n`;
  return `\n${doc}type ${name} struct${fields.length === 0 ? '{' : ` {\n${renderFields(fields)}`}}\n`;
}

/** A type with every field of its forms: what all have stays required. @param {string} name @param {readonly NamedType[]} forms */
function mergeForms(name, forms) {
  /** @type {Map<string, Field[]>} */
  const all = new Map();
  for (const { fields } of forms) for (const field of fields) all.set(field.name, [...(all.get(field.name) ?? []), field]);
  const fields = [...all].map(([field, given]) => ({
    name: field,
    isRequired: given.length === forms.length && given.every(({ isRequired }) => isRequired),
    type: /** @type {Type} */ ({ kind: 'union', forms: given.map(({ type }) => type) }),
    about: given.length === 1 ? given[0]?.about : undefined,
  }));
  return { name, fields, about: undefined };
}

/** @param {ApiModel} model */
function renderTypes({ types, aliases }) {
  const merged = [...aliases].map(([name, type]) => {
    const forms = type.kind === 'union' ? type.forms.flatMap((form) => (form.kind === 'name' ? form.name : [])) : [];
    return mergeForms(
      name,
      types.filter((one) => forms.includes(one.name)),
    );
  });
  return `package errand\n${[...types, ...merged].map(renderType).join('')}`;
}

/** @param {Call} call */
function renderMethod({ name, noun, action, method, about, hasSecret, request, response }) {
  const holder = `${toPascal(noun)}Operations`;
  const input = request.fields.length === 0 ? ['', 'struct{}{}'] : [`, request *${request.name}`, 'request'];
  const mode = method === 'GET' ? 'read' : hasSecret ? 'writeOnce' : 'write';
  return [
    `\n// ${toPascal(action)} calls ${name}: ${about}\n`,
    `func (o *${holder}) ${toPascal(action)}(ctx context.Context${input[0]}) (*${response.name}, error) {\n`,
    `\tresponse := new(${response.name})\n`,
    `\treturn response, o.client.call(ctx, "${name}", ${mode}, ${input[1]}, response)\n}\n`,
  ].join('');
}

/** @param {ApiModel} model */
function renderOperations(model) {
  const groups = groupByNoun(model);
  const width = Math.max(...groups.map(([noun]) => toPascal(noun).length));
  const fields = groups.map(([noun]) => `\t${toPascal(noun).padEnd(width)} *${toPascal(noun)}Operations\n`).join('');
  const keys = groups
    .map(([noun]) => `\t\t${`${toPascal(noun)}:`.padEnd(width + 1)} &${toPascal(noun)}Operations{c},\n`)
    .join('');
  const holders = groups.map(
    ([noun, calls]) =>
      `\n// ${toPascal(noun)}Operations are those of ${noun}.\ntype ${toPascal(noun)}Operations struct{ client *Client }\n${calls.map(renderMethod).join('')}`,
  );
  return [
    'package errand\n\nimport "context"\n',
    `\n// Operations has all operations, by resource.\ntype Operations struct {\n${fields}}\n`,
    `\nfunc operationsOf(c *Client) Operations {\n\treturn Operations{\n${keys}\t}\n}\n`,
    ...holders,
  ].join('');
}

/** The generated files of the Go client, by path. @returns {Map<string, string>} */
export function renderGo() {
  const model = readApiModel();
  const note = '// Code generated by `node scripts/generate-client.mjs` from src/api; DO NOT EDIT.\n\n';
  return new Map([
    ['clients/go/types.go', note + renderTypes(model)],
    ['clients/go/operations.go', note + renderOperations(model)],
  ]);
}
