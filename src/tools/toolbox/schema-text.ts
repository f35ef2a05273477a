import type { Schema } from './input-schema.ts';

const deepestInLine = 3;

function drawAlternatives(schemas: readonly Schema[], depth: number): string {
  return [...new Set(schemas.map((schema) => drawShape(schema, depth)))].join(' | ');
}

function drawObject({ properties = {}, required = [] }: Schema, depth: number): string {
  if (depth <= 0) return '{…}';
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${drawNested(field, depth - 1)}`,
  );
  return fields.length === 0 ? 'object' : `{${fields.join(', ')}}`;
}

function drawList({ items, prefixItems }: Schema, depth: number): string {
  if (prefixItems) return `[${prefixItems.map((item) => drawShape(item, depth)).join(', ')}]`;
  const item = items ? drawNested(items, depth) : 'any';
  return item.includes(' | ') && !/[}\]]$/.test(item) ? `(${item})[]` : `${item}[]`;
}

/** Definitions with their own description are not inlined. */
function drawNested(schema: Schema, depth: number): string {
  const { disclosure, description } = schema;
  return disclosure === 'briefly' && description !== undefined ? `object /* ${description} */` : drawShape(schema, depth);
}

/** One line in TypeScript notation, which models know; `…` replaces anything nested deeper than `depth`. */
export function drawShape(schema: Schema, depth = deepestInLine): string {
  const { type, enum: choices, anyOf, oneOf } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return drawAlternatives(alternatives, depth);
  if (type === 'object') return drawObject(schema, depth);
  if (type === 'array') return drawList(schema, depth);
  if (type === undefined) return 'any';
  return typeof type === 'string' ? type : type.join(' | ');
}

function readNumber(schema: Schema, keyword: string): number | null {
  const value = schema[keyword];
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

function drawRange(least: number | null, most: number | null, unit: string): string[] {
  if (most === null) return least === null || least === 0 ? [] : [`at least ${least}${unit}`];
  return [least === null || (least === 0 && unit !== '') ? `up to ${most}${unit}` : `${least} to ${most}${unit}`];
}

/** The constraints that validation enforces, and the default. */
function listLimits(schema: Schema): string[] {
  const { default: usual } = schema;
  const isTelling = usual !== undefined && usual !== '' && !(Array.isArray(usual) && usual.length === 0);
  return [
    ...drawRange(readNumber(schema, 'minItems'), readNumber(schema, 'maxItems'), ' items'),
    ...drawRange(readNumber(schema, 'minimum'), readNumber(schema, 'maximum'), ''),
    ...drawRange(null, readNumber(schema, 'maxLength'), ' characters'),
    ...(isTelling ? [`default ${JSON.stringify(usual)}`] : []),
  ];
}

/** What a short description says of fields is left out where they follow. */
function drawComment(schema: Schema): string {
  const limits = listLimits(schema).join(', ');
  const isRepeated = schema.disclosure === 'briefly' && schema.properties !== undefined;
  const said = [isRepeated ? '' : (schema.description ?? ''), limits === '' ? '' : `(${limits})`]
    .filter((text) => text !== '')
    .join(' ');
  return said === '' ? '' : ` // ${said}`;
}

function drawField(name: string, schema: Schema, isNeeded: boolean, indent: string): string[] {
  const start = `${indent}${name}${isNeeded ? '' : '?'}: `;
  const { items, properties } = schema;
  const about = [drawComment(schema), items ? drawComment(items).replace('//', '// each:') : ''].join('');
  const alternatives = items?.anyOf ?? items?.oneOf ?? [];
  if (alternatives.some((alternative) => alternative.properties)) {
    return [`${start}(${about}`, ...alternatives.map((each) => `${indent}  | ${drawShape(each)}`), `${indent})[]`];
  }
  const inner = items?.properties ? items : properties ? schema : null;
  if (!inner) return [`${start}${drawShape(schema)}${about}`];
  return [`${start}{${about}`, ...drawFields(inner, `${indent}  `), `${indent}}${items ? '[]' : ''}`];
}

function drawFields({ properties = {}, required = [] }: Schema, indent: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => drawField(name, field, required.includes(name), indent));
}

/** Every field of an input, one per line, with descriptions and limits. */
export function drawFormat(schema: Schema): string {
  return ['{', ...drawFields(schema, '  '), '}'].join('\n');
}
