import fc from 'fast-check';
import { oddKey, oddText, oddValue, unknownField } from './hostile-values.ts';
import { anyCharacter } from '../support/base/any-character.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Finds what a `$ref` of the document means. */
export type Resolve = (reference: string) => Schema;

/** Fields that name something the account has: the word for what a request is given in its place. */
const kinds: Readonly<Record<string, string>> = {
  comment_id: 'comment',
  task_id: 'task',
  taskId: 'task',
  response_id: 'task',
  previousResponseId: 'task',
  task_references: 'task',
  project_id: 'project',
  projectId: 'project',
  file_id: 'file',
  fileId: 'file',
  webhook_id: 'webhook',
  listener_id: 'listener',
  agent_id: 'agent',
  artifact_id: 'artifact',
  connector_id: 'connector',
  connectors: 'connector',
  skill_id: 'skill',
  enable_skills: 'skill',
  force_skills: 'skill',
  event_id: 'event',
  schedule_id: 'schedule',
  trigger_id: 'trigger',
  recipe_id: 'recipe',
  account_id: 'account',
  request_id: 'request',
  worker_id: 'worker',
  id: 'item',
  path: 'path',
  website_id: 'website',
  key_id: 'key',
  client_id: 'app',
  secret_id: 'secret',
  session_id: 'session',
  share_id: 'share',
  delivery_id: 'delivery',
  member: 'member',
  team: 'team',
};

const addresses = ['https://example.com/hook', 'http://127.0.0.1/', 'https://[::1]:99999/', 'javascript:0', 'nowhere'];
const files = ['data:text/plain;base64,SGVsbG8=', 'data:image/png;base64,', 'data:,x', 'SGVsbG8='];
const words: Readonly<Record<string, readonly string[]>> = {
  url: addresses,
  file_url: addresses,
  file_data: files,
  fileData: files,
  filename: ['a.txt', 'b.csv', 'ü 🙂.pdf', '../../etc/passwd', 'x.exe'],
  agent_profile: ['service-1.6', 'service-1.6-lite', 'manus-1.6-max'],
  agentProfile: ['speed', 'quality', 'manus-1.5'],
  content: ['write hello.md with Hello', '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n'],
  locale: ['en', 'de', 'zh-CN'],
  email: ['ann@example.org', 'ANN@EXAMPLE.ORG', 'nobody'],
  redirect_uris: ['https://app.example/cb', 'http://127.0.0.1:9/cb', 'javascript:0'],
  homepage: addresses,
  status: ['running', 'waiting', 'stopped', 'failed', 'delivered'],
  role: ['user', 'assistant', 'system'],
};

const flatSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

/** Something of what the account has: which one is chosen when the request is made. */
function thingOf(kind: string): fc.Arbitrary<string> {
  return fc.nat(4).map((index) => `@@${kind}:${index}@@`);
}

/** What a field of an example is given in place of what it shows; null for fields that name nothing. */
export function namedThing(name: string): string | null {
  const kind = kinds[name];
  return kind === undefined ? null : `@@${kind}:0@@`;
}

function textOf(name: string, { minLength = 0, maxLength = 300, pattern }: Schema): fc.Arbitrary<unknown> {
  const kind = kinds[name];
  if (kind !== undefined) return fc.oneof({ weight: 9, arbitrary: thingOf(kind) }, { weight: 1, arbitrary: oddValue });
  const known = words[name];
  const free =
    typeof pattern !== 'string'
      ? fc.string({ unit: anyCharacter, minLength: Number(minLength), maxLength: Math.min(300, Number(maxLength)) })
      : fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    { weight: known ? 8 : 0, arbitrary: fc.constantFrom(...(known ?? [''])) },
    { weight: 6, arbitrary: free },
    { weight: 2, arbitrary: oddText },
  );
}

function objectOf({ properties = {}, required = [] }: Schema, resolve: Resolve): fc.Arbitrary<object> {
  const fields = Object.entries(properties as Record<string, Schema>).map(
    ([name, schema]) => [name, valueOf(name, schema, resolve)] as const,
  );
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: required as string[], noNullPrototype: true });
  const unknown = fc.option(fc.tuple(oddKey, unknownField), { freq: 4, nil: null });
  return fc.tuple(known, unknown).map(([object, more]) => (more === null ? object : { ...object, [more[0]]: more[1] }));
}

/** Values that the schema allows, most of them also sensible; one in sixteen is something else altogether. */
export function valueOf(name: string, schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 15, arbitrary: goodValueOf(name, schema, resolve) }, { weight: 1, arbitrary: oddValue });
}

/** Values that the schema allows. */
export function goodValueOf(name: string, schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const { $ref, enum: choices, type, items, minimum = -9, maximum = 1e6 } = schema;
  if (typeof $ref === 'string') return goodValueOf(name, resolve($ref), resolve);
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  if ('const' in schema) return fc.constant(schema.const);
  const forms = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (forms) return fc.oneof(...forms.map((form) => goodValueOf(name, form, resolve)));
  if (name === 'structured_output_schema') return fc.oneof(fc.constant(flatSchema), fc.object({ maxDepth: 3 }), oddValue);
  if (type === 'object') return objectOf(schema, resolve);
  if (type === 'array') return fc.array(valueOf(name, (items ?? {}) as Schema, resolve), { maxLength: 4 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return fc.integer({ min: Number(minimum), max: Number(maximum) });
  return type === 'string' ? textOf(name, schema) : oddValue;
}
