import { expect, test } from 'vitest';
import { parseSource } from './source-file.mjs';
import { findUnusedExports } from './unused-exports.mjs';

const exporter = `export const limit = 3;
export function read() { return limit; }
export class Reader {}
export interface Parts { limit: number }
const own = 1;
export { own };
`;

const namesIn = (/** @type {readonly string[]} */ ...others) =>
  findUnusedExports([parseSource('src/a.ts', exporter)], [exporter, ...others]).map(({ name }) => name);

test('a value that no other file names is found, wherever its own file uses it', () => {
  expect(namesIn()).toEqual(['limit', 'read', 'Reader']);
});

test('a value that another file names is used', () => {
  expect(namesIn("import { read } from './a.ts';", 'new Reader()')).toEqual(['limit']);
});

test('a longer word is not a use', () => {
  expect(namesIn('const limits = 3; readAll(); Readers')).toEqual(['limit', 'read', 'Reader']);
});
