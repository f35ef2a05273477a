import { html, type Fragment, type Html } from '../../oauth/pages/layout/html.ts';
import { type JsonObject, schemaPlace } from './openapi-schemas.ts';

function linkTo(reference: string): Html {
  const name = reference.slice(schemaPlace.length);
  return html`<a href="#${name}">${name}</a>`;
}

function join(parts: readonly Fragment[], separator: string): Fragment[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

/** A sentence of a description, with names in backticks. */
export function renderText(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** The type of a schema in a few words. */
function describeType(schema: JsonObject): Fragment {
  const { $ref, enum: choices, type, items } = schema;
  if (typeof $ref === 'string') return linkTo($ref);
  if (Array.isArray(choices)) {
    const codes = choices.map((choice) => html`<code>${String(choice)}</code>`);
    return join(codes, ', ');
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const forms = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined;
  if (forms) return join(forms.map(describeType), ' or ');
  if (type === 'array') return ['array of ', describeType((items ?? {}) as JsonObject)];
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any';
}

function describeLimits({ type, minimum, maximum, default: fallback }: JsonObject): Fragment {
  const hasRange = type === 'integer' && minimum !== undefined && maximum !== undefined;
  const range = hasRange && ` From ${Number(minimum)} to ${Number(maximum)}.`;
  return [range, fallback !== undefined && html` Default: <code>${JSON.stringify(fallback)}</code>.`];
}

function describeField(label: string, schema: JsonObject, isRequired: boolean): Html {
  const { description } = schema;
  const about = typeof description === 'string' && renderText(description);
  return html`<tr><td><code>${label}</code></td><td>${describeType(schema)}${isRequired && ', required'}</td><td>${about}${describeLimits(schema)}</td></tr>`;
}

/** One row for each field, and for each field of an object inside. */
function describeFields({ properties = {}, required = [] }: JsonObject, prefix = ''): Html[] {
  const isRequired = new Set(required as string[]);
  return Object.entries(properties as Record<string, JsonObject>).flatMap(([name, field]) => {
    const inner = (field.type === 'array' ? (field.items ?? {}) : field) as JsonObject;
    const label = `${prefix}${name}${field.type === 'array' && inner.properties ? '[]' : ''}`;
    return [describeField(label, field, isRequired.has(name)), ...describeFields(inner, `${label}.`)];
  });
}

/** A table of the fields of an object; null for one without fields. */
export function renderFields(title: string, schema: JsonObject): Html | null {
  const rows = describeFields(schema);
  if (rows.length === 0) return null;
  return html`<table><thead><tr><th scope="col">${title}</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead><tbody>${rows}</tbody></table>`;
}
