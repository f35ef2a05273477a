import fc from 'fast-check';
import { anyCharacter } from '../support/base/any-character.ts';

/** In every unknown field: found nowhere afterwards. */
export const canary = 'canary7f3a9c';

/** Words that stand for what JavaScript cannot hold, and their JSON. */
const beyond: ReadonlyMap<string, string> = new Map([
  ['@@huge@@', '1e400'],
  ['@@digits@@', '12345678901234567890'],
  ['@@long@@', '9'.repeat(400)],
  ['@@deep@@', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['@@deepObject@@', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['@@minusZero@@', '-0'],
  ['@@twice@@', '{"a":1,"a":2,"__proto__":{"isAdmin":true}}'],
]);

/** Texts that fields of text allow and nobody means. */
export const oddText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud83d',
    'x\udc00',
    '\u202e',
    '\r\nX-Injected: 1',
    '1e400',
    '__proto__',
    "'; DROP TABLE tasks; --",
    '%00',
    '../..',
    'x'.repeat(20_000),
    '🙂'.repeat(300),
  ),
);

/** Whatever nobody should send. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(0, -1, 1e308, 2 ** 60, true, null, [], {}, [[]], [null], ...beyond.keys()),
);

/** Names that no operation has, some of which JavaScript has. */
export const oddKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'unknown_field',
  'ok',
  'account_id',
  '',
);

export const unknownField = fc.oneof(
  fc.constantFrom<unknown>(canary, { [canary]: canary }, [canary], { isAdmin: canary, toString: canary }),
  fc.constantFrom<unknown>(...beyond.keys()),
);

/** The JSON text of a value; `things` defines what a word such as `@@task:1@@` stands for. */
export function writeJson(value: unknown, things: (kind: string, index: number) => string): string {
  const text = JSON.stringify(value) ?? 'null';
  return text
    .replaceAll(/"(@@[a-zA-Z]+@@)"(?!:)/g, (whole, word: string) => beyond.get(word) ?? whole)
    .replaceAll(/@@([a-z]+):(\d)@@/g, (_, kind: string, index: string) => things(kind, Number(index)));
}

/** The same in a query or a path. */
export function writeText(value: unknown, things: (kind: string, index: number) => string): string {
  const text = typeof value === 'string' ? (beyond.get(value) ?? value) : writeJson(value, things);
  const whole = text.replaceAll(/@@([a-z]+):(\d)@@/g, (_, kind: string, index: string) => things(kind, Number(index)));
  // No longer than a request line may be, but for one in a while that is.
  return encodeURIComponent(whole.slice(0, 3000).toWellFormed());
}
