/** A JSON Schema, as far as the document of the service uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  description?: string;
  /** Whether it is a secret: it is given and never returned. */
  writeOnly?: boolean;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

type Content = Record<string, { schema: Schema; example?: JsonObject }>;

/** What a person has to agree to before a request is sent. */
type Effect = 'deletes' | 'costs' | 'replaces';

interface DescribedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  'x-effect'?: Effect;
}

/** The OpenAPI document of the service. */
export interface ApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { type: string; name?: string }> };
}

/** Where a field of a request is. */
export type Place = 'path' | 'query' | 'body';

/** One operation, as the reference shows it. */
export interface ApiOperation {
  id: string;
  /** What it is listed under: its resource, or `legacy`. */
  subject: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  summary: string;
  /** Further details; empty for none. */
  details: string;
  /** All fields of the request as those of one object. */
  input: Schema;
  places: ReadonlyMap<string, Place>;
  hasBody: boolean;
  /** A request that is complete. */
  sample: JsonObject;
  /** The successful answer; null if it has no fields. */
  answer: Schema | null;
  isStream: boolean;
  /** The header of the key that it takes; null if it takes none. */
  keyHeader: string | null;
  /** Whether it may also be called with the sign-in of a person. Operations of v1 may not. */
  takesSession: boolean;
  /** What a person has to agree to first. */
  effect: Effect | null;
}

export interface Subject {
  name: string;
  description: string;
  operations: ApiOperation[];
}

export interface Api {
  subjects: Subject[];
  schemas: Readonly<Record<string, Schema>>;
}

const schemaPlace = '#/components/schemas/';

/** The schema that a reference names; others as they are. */
export function resolve({ schemas }: Pick<Api, 'schemas'>, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...schemas[$ref.slice(schemaPlace.length)], ...own };
}

/** The first type of the schema. */
export function typeOf({ type }: Schema): string | undefined {
  return Array.isArray(type) ? type[0] : type;
}

/** Where something would have to be filled in. */
function placeholderOf(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  const type = typeOf(schema);
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  return type === 'array' ? [] : type === 'object' ? {} : '';
}

function readInput(parameters: readonly Parameter[], body: Schema): { input: Schema; places: Map<string, Place> } {
  const described = parameters.map(
    ({ name, description, schema }) => [name, { ...schema, ...(description !== undefined && { description }) }] as const,
  );
  const places = new Map<string, Place>(Object.keys(body.properties ?? {}).map((name) => [name, 'body']));
  for (const { name, in: place } of parameters) places.set(name, place === 'path' ? 'path' : 'query');
  const required = parameters.flatMap(({ name, required: isRequired }) => (isRequired === true ? name : []));
  const input: Schema = {
    type: 'object',
    properties: { ...Object.fromEntries(described), ...body.properties },
    required: [...required, ...(body.required ?? [])],
  };
  return { input, places };
}

function sampleOf(document: ApiDocument, parameters: readonly Parameter[], input: Schema, example: JsonObject = {}): JsonObject {
  const asked = parameters.flatMap(({ name, example: value }) => (value === undefined ? [] : [[name, value] as const]));
  const sample: JsonObject = { ...Object.fromEntries(asked), ...example };
  for (const name of input.required ?? [])
    sample[name] ??= placeholderOf(resolve(document.components, input.properties?.[name] ?? {}));
  return sample;
}

/** An answer without the fields that all have. */
function withoutEnvelope({ properties, ...schema }: Schema): Schema {
  if (!properties) return schema;
  const { ok: _ok, request_id: _id, ...own } = properties;
  return { ...schema, properties: own };
}

function readOperation(document: ApiDocument, path: string, method: string, described: DescribedOperation): ApiOperation {
  const { operationId: id, summary, description, security, requestBody, responses } = described;
  const parameters = (described.parameters ?? []).filter(({ in: place }) => place === 'path' || place === 'query');
  const body = requestBody?.content['application/json'];
  const { input, places } = readInput(parameters, resolve(document.components, body?.schema ?? {}));
  const success = Object.entries(responses).find(([status]) => status.startsWith('20'))?.[1].content ?? {};
  const [[mediaType, answer] = []] = Object.entries(success);
  const [scheme] = Object.keys(security[0] ?? {});
  const isLegacy = scheme === 'legacyKey';
  return {
    id,
    subject: described.tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary,
    details: description === undefined || description === summary ? '' : description,
    input,
    places,
    hasBody: requestBody !== undefined,
    sample: sampleOf(document, parameters, input, body?.example),
    answer: answer ? withoutEnvelope(resolve(document.components, answer.schema)) : null,
    isStream: mediaType === 'text/event-stream',
    keyHeader: scheme === undefined ? null : (document.components.securitySchemes[scheme]?.name ?? null),
    takesSession: scheme !== undefined && !isLegacy,
    effect: described['x-effect'] ?? null,
  };
}

/** Reads the document of the service. */
export function readApi(document: ApiDocument): Api {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => readOperation(document, path, method, described)),
  );
  const subjects = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ subject }) => subject === tag.name),
  }));
  return { subjects: subjects.filter((subject) => subject.operations.length > 0), schemas: document.components.schemas };
}
