import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readToken, signToken } from './signed-token.ts';

const key = Buffer.alloc(32, 7);
const end = 1_000_000_000_000;

describe('a signed token', () => {
  it('carries its claims until it expires', () => {
    const claims = fc.array(fc.oneof(fc.string(), fc.integer()));
    fc.assert(
      fc.property(claims, fc.string(), (said, bound) => {
        const token = signToken(key, 'file', said, end, bound);
        expect(token).toMatch(/^[\w.-]+$/);
        expect(readToken(key, 'file', token, end - 1, bound)).toEqual({ claims: said, endsAtMs: end });
        expect(() => readToken(key, 'file', token, end, bound)).toThrow('has expired');
      }),
    );
  });

  it('is valid only with its own key, purpose and bound text', () => {
    const token = signToken(key, 'file', ['a'], end, 'name');
    const wrong: [Buffer, string, string][] = [
      [Buffer.alloc(32, 8), 'file', 'name'],
      [key, 'upload', 'name'],
      [key, 'file', 'name2'],
    ];
    for (const [otherKey, purpose, bound] of wrong) {
      expect(() => readToken(otherKey, purpose, token, 0, bound)).toThrow('not valid');
    }
  });

  it('is invalid after any change, even another encoding of the same bytes', () => {
    const token = signToken(key, 'file', ['account', 'blob', 12], end);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=%'.split('');
    for (let at = 0; at < token.length; at++) {
      for (const char of alphabet) {
        if (token[at] === char) continue;
        const forged = token.slice(0, at) + char + token.slice(at + 1);
        expect(() => readToken(key, 'file', forged, 0), forged).toThrow('not valid');
      }
    }
    for (const forged of ['', '.', '..', token.slice(0, -1), `${token}A`, `${token}.`, `${token}=`]) {
      expect(() => readToken(key, 'file', forged, 0), forged).toThrow('not valid');
    }
  });
});
