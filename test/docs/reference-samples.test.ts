import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/api/index.ts';
import { describeApi } from '../../src/http/openapi/openapi-document.ts';
import { legacyOperations } from '../../src/legacy/index.ts';
import { type ApiDocument, readApi } from '../../web/src/developers/reference/api-document.ts';
import { prepareRequest } from '../../web/src/developers/reference/prepare-request.ts';
import { kindsFor, writeSample } from '../../web/src/developers/reference/samples.ts';
import { createSearch } from '../../web/src/developers/reference/search.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const described = describeApi({ operations, legacyOperations }, '1.2.3', ['service', 'manus']);
const api = readApi(described as unknown as ApiDocument);
const all = api.subjects.flatMap((subject) => subject.operations);
const origin = 'https://errand.example';
const samples = all
  .filter(({ takesSession }) => takesSession)
  .map((operation) => ({ operation, parts: { operation, input: operation.sample, origin } }));

describe('the reference in the application', () => {
  it('has every operation of this service, each of which is found by its name', () => {
    expect(all).toHaveLength(operations.length + legacyOperations.length);
    const search = createSearch(api);
    for (const { id } of all)
      expect([id, search(id).some(({ found }) => found.some(({ operation }) => operation.id === id))]).toEqual([id, true]);
  });

  it('begins with a request that the operation takes', () => {
    for (const { name, request, method } of operations) {
      const operation = all.find(({ id }) => id === name);
      const [, query = ''] = operation ? prepareRequest(operation, operation.sample).target.split('?') : [];
      const input = method === 'GET' ? Object.fromEntries(new URLSearchParams(query)) : operation?.sample;
      expect([name, request.safeParse(input).success]).toEqual([name, true]);
    }
  });

  it('has TypeScript that can be parsed, with a method that the client has', () => {
    const client = read('packages/client/src/operations.ts');
    for (const { operation, parts } of samples) {
      const code = writeSample('typescript', parts);
      expect([operation.id, parseSync('sample.ts', code).errors]).toEqual([operation.id, []]);
      if (!operation.isStream) expect([operation.id, client.includes(`'${operation.id}'`)]).toEqual([operation.id, true]);
    }
  });

  it('has Python and Go with methods that the clients have, which take fields just where it passes some', () => {
    const python = read('clients/python/errand/_operations.py');
    const go = read('clients/go/operations.go');
    for (const { operation, parts } of samples.filter((one) => !one.operation.isStream)) {
      const [, method = ''] = /= errand\.\w+\.(\w+)\(/.exec(writeSample('python', parts)) ?? [];
      expect([operation.id, python.includes(`def ${method}(self`)]).toEqual([operation.id, true]);
      const call = writeSample('go', parts);
      const [, resource = '', verb = '', isGiven] =
        /client\.(\w+)\.(\w+)\(context\.Background\(\)(, &request)?\)/.exec(call) ?? [];
      const given = isGiven === undefined ? '' : `, request *${resource}${verb}Request`;
      const declared = `func (o *${resource}Operations) ${verb}(ctx context.Context${given})`;
      expect([operation.id, go.includes(declared)]).toEqual([operation.id, true]);
    }
  });

  it('has commands alone for the API before this one, whose header they name', () => {
    for (const operation of all.filter(({ takesSession }) => !takesSession)) {
      expect([operation.id, kindsFor(operation).map(({ kind }) => kind)]).toEqual([operation.id, ['curl']]);
      const code = writeSample('curl', { operation, input: operation.sample, origin });
      expect([operation.id, code.includes('API_KEY:')]).toEqual([operation.id, operation.keyHeader !== null]);
    }
  });
});
