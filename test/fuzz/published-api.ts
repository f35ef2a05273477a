import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { ApiUnderTest } from '../support/http/api-under-test.ts';
import { oddKey, unknownField, writeJson, writeText } from './hostile-values.ts';
import { goodValueOf, namedThing, type Resolve, type Schema, valueOf } from './schema-values.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: { $ref?: string }; example?: Record<string, unknown> }>;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Required<Content>;
  responses: Record<string, Content>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** An operation as the document describes it. */
export interface Published {
  id: string;
  method: string;
  path: string;
  isLegacy: boolean;
  isStream: boolean;
  /** Whether it answers with the bytes of a file. */
  isBytes: boolean;
  input: fc.Arbitrary<Input>;
  /** One that can be done: the example of the document, about things that there are. */
  sure: Input;
  /** Null where nothing is answered. */
  success: ValidateFunction | null;
  failure: ValidateFunction;
}

/** What is put into a request, before the things it names have been chosen. */
export interface Input {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** Of a few, so that some come again with other requests. */
  idempotencyKey: string | null;
}

type Things = (kind: string, index: number) => string;

function fieldsOf(parameters: readonly Parameter[], place: Parameter['in'], resolve: Resolve) {
  const here = parameters.filter((parameter) => parameter.in === place);
  const values = here.map(({ name, schema }) => [name, valueOf(name, schema, resolve)] as const);
  const requiredKeys = here.flatMap(({ name, required }) => (required ? [name] : []));
  return fc.record(Object.fromEntries(values), { requiredKeys, noNullPrototype: true });
}

const seldomKey = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-j~]{1,2}$/) },
);

/** The example, about things that there are, with a few fields of another body: mostly something that can be done. */
function nearExample(example: Record<string, unknown>, body: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const fields = Object.entries(example).map(([name, value]) => [name, namedThing(name) ?? value]);
  const known = Object.fromEntries(fields) as Record<string, unknown>;
  return fc.tuple(goodValueOf('body', body, resolve), fc.nat(9), fc.nat(2)).map(([other, from, count]) => {
    const entries = Object.entries(other as object);
    return { ...known, ...Object.fromEntries(entries.slice(from, from + count)) };
  });
}

function bodyOf({ schema, example = {} }: { schema: Schema; example?: Record<string, unknown> }, resolve: Resolve) {
  return fc.oneof(valueOf('body', schema, resolve), nearExample(example, schema, resolve));
}

function inputOf({ parameters = [], requestBody }: Operation, resolve: Resolve): fc.Arbitrary<Input> {
  const body = requestBody?.content['application/json'];
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const more = fc.option(fc.tuple(oddKey, unknownField), { freq: 6, nil: null });
  const query = fc.tuple(fieldsOf(parameters, 'query', resolve), more);
  return fc.record({
    path: fieldsOf(parameters, 'path', resolve),
    query: body ? fc.constant({}) : query.map(([known, odd]) => (odd ? { ...known, [odd[0]]: odd[1] } : known)),
    body: body ? bodyOf(body, resolve) : fc.constant(undefined),
    idempotencyKey: takesKey ? seldomKey : fc.constant(null),
  });
}

/** What an example shows, about things that there are; the first of each kind may be one that is not like the others. */
function aboutThings(fields: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, value]) => [name, namedThing(name)?.replace(':0', ':1') ?? value]));
}

function sureInputOf({ parameters = [], requestBody }: Operation): Input {
  const pick = (place: Parameter['in']) =>
    aboutThings(
      parameters
        .filter(({ in: where, name, required }) => where === place && (required || name === 'task_id'))
        .map(({ name, schema }) => [name, (schema.enum as unknown[] | undefined)?.[0] ?? 'x']),
    );
  const example = requestBody?.content['application/json']?.example;
  const body = requestBody ? aboutThings(Object.entries(example ?? {})) : undefined;
  return { path: pick('path'), query: requestBody ? {} : pick('query'), body, idempotencyKey: null };
}

/** All operations of the service's own OpenAPI document, as a client would read it. */
export async function readPublished(api: ApiUnderTest): Promise<Published[]> {
  return readDocument(await (await api.fetch('/openapi.json', {}, { key: null })).json());
}

/** The operations of an OpenAPI document. */
export function readDocument(document: unknown): Published[] {
  const { paths, components } = document as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'https://errand.test/openapi', components });
  const validator = (reference: string) => {
    const validate = ajv.getSchema(`https://errand.test/openapi${reference}`);
    if (!validate) throw new Error(`the document has no ${reference}`);
    return validate;
  };
  const resolve: Resolve = (reference) => components.schemas[reference.split('/').at(-1) ?? ''] ?? {};
  const contentOf = ({ content = {} }: Content = {}) => Object.entries(content)[0];
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [type, success] = contentOf(operation.responses[200] ?? operation.responses[202]) ?? [];
      const [, failure] = contentOf(operation.responses['4XX']) ?? [];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        isLegacy: failure?.schema.$ref?.endsWith('/LegacyError') ?? false,
        isStream: type === 'text/event-stream',
        isBytes: type === '*/*',
        input: inputOf(operation, resolve),
        sure: sureInputOf(operation),
        success: success?.schema.$ref ? validator(success.schema.$ref) : null,
        failure: validator(failure?.schema.$ref ?? ''),
      };
    }),
  );
}

/** The address and the body of a request. */
export function writeRequest({ path }: Published, input: Input, things: Things): { url: string; body: string | null } {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => writeText(input.path[name], things));
  const pairs = Object.entries(input.query).flatMap(([name, value]) =>
    (name === 'status' && Array.isArray(value) ? value : [value]).map(
      (one) => `${encodeURIComponent(name)}=${writeText(one, things)}`,
    ),
  );
  return {
    url: pairs.length > 0 ? `${address}?${pairs.join('&')}` : address,
    body: input.body === undefined ? null : writeJson(input.body, things),
  };
}
