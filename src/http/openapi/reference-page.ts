import { html, Html } from '../../oauth/pages/layout/html.ts';
import { nameMark, pageHeaders, typefaceLink } from '../../oauth/pages/layout/page-layout.ts';
import { queryExamples } from './openapi-examples.ts';
import { type JsonObject, schemaPlace } from './openapi-schemas.ts';
import { renderFields, renderText } from './reference-fields.ts';
import { referenceStyle } from './reference-style.ts';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonObject;
}

interface Content {
  content?: Record<string, { schema: { $ref?: string }; example?: JsonObject }>;
}

interface Described {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface ApiDocument {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonObject> };
}

interface Row extends Described {
  method: string;
  path: string;
}

function listRows({ paths }: ApiDocument): Row[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

function isLegacy({ security }: Row): boolean {
  return security.some((requirement) => 'legacyKey' in requirement);
}

/** The name of an operation; those of v1 are known by their URL. */
function titleOf(row: Row): string {
  return isLegacy(row) ? `${row.method} ${row.path}` : row.operationId;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command for a shell in which `KEY` is set. */
function writeCurl(row: Row, baseUrl: string): string {
  const { operationId, method, path, requestBody, responses } = row;
  const query = new URLSearchParams(queryExamples[operationId]).toString();
  const address = `${baseUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}${query && `?${query}`}`;
  const isStream = responses[200]?.content?.['text/event-stream'] !== undefined;
  const { example } = requestBody?.content?.['application/json'] ?? {};
  return [
    `curl ${isStream ? '-N ' : ''}${['GET', 'POST'].includes(method) ? '' : `-X ${method} `}${quote(address)}`,
    `-H "${isLegacy(row) ? 'API_KEY' : 'x-service-api-key'}: $KEY"`,
    ...(requestBody ? [`-H 'content-type: application/json'`, `-d ${quote(JSON.stringify(example ?? {}))}`] : []),
  ].join(' \\\n  ');
}

function schemaOf(document: ApiDocument, { content = {} }: Content = {}): JsonObject {
  const [first] = Object.values(content);
  return document.components.schemas[first?.schema.$ref?.slice(schemaPlace.length) ?? ''] ?? {};
}

/** The parameters of a URL as an object. */
function readParameters({ parameters = [] }: Row, place: string): JsonObject {
  const here = parameters.filter((parameter) => parameter.in === place);
  const properties = here.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]);
  const required = here.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
  return { properties: Object.fromEntries(properties) as JsonObject, required };
}

/** The response without the fields of the envelope. */
function readAnswer(document: ApiDocument, { responses }: Row): JsonObject {
  const { properties = {}, ...schema } = schemaOf(document, responses[200] ?? responses[202]);
  const own = Object.entries(properties as JsonObject).filter(([name]) => name !== 'ok' && name !== 'request_id');
  return { ...schema, properties: Object.fromEntries(own), required: [] };
}

function renderOperation(document: ApiDocument, row: Row, baseUrl: string): Html {
  const { operationId, method, path, summary, description, requestBody } = row;
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title"><div>
<h3 id="${operationId}-title"><a href="#${operationId}">${titleOf(row)}</a></h3><p><code><span class="method">${method}</span>${path}</code></p>
<p>${renderText(summary)}</p>${description !== undefined && description !== summary && html`<p class="soft">${renderText(description)}</p>`}
${renderFields('In the path', readParameters(row, 'path'))}${renderFields('In the query', readParameters(row, 'query'))}
${requestBody && renderFields('In the body', schemaOf(document, requestBody))}${renderFields('In the answer', readAnswer(document, row))}</div>
<div class="sample"><p>curl</p><pre class="secret">${writeCurl(row, baseUrl)}</pre></div></section>`;
}

/** A subject with its operations, folded until somebody opens it. */
function renderSubject(name: string, rows: readonly Row[]): Html {
  const links = rows.map((row) => html`<li><a href="#${row.operationId}">${titleOf(row)}</a></li>`);
  return html`<details><summary>${name} <span class="soft small">${rows.length}</span></summary><ul><li><a href="#tag-${name}">Overview</a></li>${links}</ul></details>`;
}

/** Objects that several operations name. */
function renderObjects({ components }: ApiDocument): Html[] {
  const named = Object.entries(components.schemas).filter(([name]) => !name.includes('.'));
  return named.map(([name, schema]) => {
    const forms = (schema.oneOf ?? [schema]) as JsonObject[];
    const about = typeof schema.description === 'string' && html`<p>${schema.description}</p>`;
    return html`<section class="operation alone" id="${name}" aria-labelledby="${name}-title"><div><h3 id="${name}-title">${name}</h3>${about}${forms.map((form) => renderFields('Field', form))}</div></section>`;
  });
}

/** The reference has its own policy: it loads nothing but the typeface, and runs nothing. */
export const referenceHeaders = { ...pageHeaders({ sheet: referenceStyle }), 'cache-control': 'public, max-age=300' };

/** The reference of the API as one page, from its OpenAPI document; `baseUrl` is where clients see the service. */
export function renderReference(described: JsonObject, baseUrl: string): string {
  const document = described as unknown as ApiDocument;
  const rows = listRows(document);
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    own: rows.filter(({ tags }) => tags[0] === name),
  }));
  const subjects = groups.map(({ name, own }) => renderSubject(name, own));
  const sections = groups.map(
    ({ name, description, own }) =>
      html`<h2 id="tag-${name}">${name}</h2><p>${description}</p>${own.map((row) => renderOperation(document, row, baseUrl))}`,
  );
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Errand</title>${typefaceLink}<style>${new Html(referenceStyle)}</style></head>
<body><a class="skip" href="#main">Skip to the content</a>
<header><div class="bar"><a class="brand" href="/">${nameMark}</a><a href="/openapi.json">OpenAPI document</a></div></header>
<div class="layout"><nav class="subjects" aria-label="Subjects">${subjects}<ul><li><a href="#objects">Objects</a></li></ul></nav>
<main id="main"><h1>API reference</h1><p>${renderText(document.info.description)}</p>
<p>The commands are for a shell in which <code>KEY</code> is an API key; a click selects the whole of one.</p>${sections}
<h2 id="objects">Objects</h2>${renderObjects(document)}</main></div></body></html>
`;
  return page.text;
}
