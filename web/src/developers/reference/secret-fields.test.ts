import { describe, expect, it } from 'vitest';
import type { Schema } from './api-document.ts';
import { inputKind } from './form-input.ts';
import { hideSecrets } from './secret-fields.ts';

const api = {
  schemas: {
    SignIn: {
      type: 'object',
      properties: { type: { type: 'string' }, key: { type: 'string', maxLength: 4000, writeOnly: true } },
    } satisfies Schema,
  },
};
const schema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    sign_in: { $ref: '#/components/schemas/SignIn' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, writeOnly: true },
    api_key: { type: 'string', writeOnly: true },
  },
};

describe('secrets in the reference', () => {
  it('are not in the samples, wherever they are in the request', () => {
    const value = {
      name: 'Shop',
      sign_in: { type: 'bearer', key: 'sesame' },
      headers: { authorization: 'Bearer sesame' },
      api_key: 'sesame',
      more: ['kept'],
    };
    expect(hideSecrets(api, schema, value)).toEqual({
      name: 'Shop',
      sign_in: { type: 'bearer', key: '…' },
      headers: { authorization: '…' },
      api_key: '…',
      more: ['kept'],
    });
  });

  it('show that a secret is removed', () => {
    expect(hideSecrets(api, schema, { api_key: null })).toEqual({ api_key: null });
    expect(hideSecrets(api, schema, { api_key: '' })).toEqual({ api_key: '' });
  });

  it('are typed into a field that shows none of them, however long they may be', () => {
    expect(inputKind(api, { type: 'string', maxLength: 4000, writeOnly: true })).toBe('secret');
  });
});
