import type { Operation } from '../../api/contract/operation.ts';
import { examples } from './openapi-examples.ts';
import { describeRequests, type JsonObject, requestName } from './openapi-schemas.ts';

/** Where a value would have to be filled in: a text of the kind that the field takes. */
function placeholderOf(schema: JsonObject): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [];
  return schema.type === 'object' || schema.$ref !== undefined ? {} : '';
}

function bodyOf(operation: Operation, schema: JsonObject): unknown {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonObject>; required?: string[] };
  const example = examples[operation.name];
  return example ?? Object.fromEntries(required.map((name) => [name, placeholderOf(properties[name] ?? {})]));
}

function queryOf(schema: JsonObject): JsonObject[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonObject>; required?: string[] };
  return Object.entries(properties).map(([key, { description = '' }]) => ({
    key,
    value: '',
    description,
    disabled: !required.includes(key),
  }));
}

function requestOf(operation: Operation, schema: JsonObject): JsonObject {
  const { method, path, summary, details } = operation;
  const isQuery = method === 'GET';
  const query = isQuery ? queryOf(schema) : [];
  const asked = query.filter(({ disabled }) => disabled === false).map(({ key }) => `${String(key)}=`);
  const raw = `{{base_url}}${path}${asked.length > 0 ? `?${asked.join('&')}` : ''}`;
  return {
    method,
    description: details ?? summary,
    header: isQuery ? [] : [{ key: 'Content-Type', value: 'application/json' }],
    url: { raw, host: ['{{base_url}}'], path: path.slice(1).split('/'), ...(isQuery && { query }) },
    ...(!isQuery && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(bodyOf(operation, schema), null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  };
}

/** All operations as a collection of Postman (format 2.1), a folder for each resource; its variables are URL and key. */
export function describeCollection(operations: readonly Operation[], version: string, baseUrl: string): JsonObject {
  const requests = describeRequests(operations);
  const folders = Map.groupBy(operations, ({ name }) => name.split('.', 1)[0] ?? name);
  const item = [...folders].map(([name, members]) => ({
    name,
    item: members.map((operation) => ({
      name: operation.name,
      request: requestOf(operation, requests.get(requestName(operation)) ?? {}),
    })),
  }));
  return {
    info: {
      name: 'Errand',
      version,
      description: 'Set the variable `api_key`; operations of `instance` take an instance key there.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-service-api-key', type: 'string' },
        { key: 'value', value: '{{api_key}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'base_url', value: baseUrl },
      { key: 'api_key', value: '' },
    ],
    item,
  };
}
