import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { adminOperations, operations } from '../src/api/index.ts';
import { faultStatus } from '@errand/base/fault.ts';
import { renderOperations, target } from './generate-operations.mjs';

/** @param {string} file */
const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

it('finds the reference of operations as the table says', () => {
  expect(read(target)).toBe(renderOperations());
});

it('lists every operation', () => {
  const text = renderOperations();
  for (const { name, method, path } of [...operations, ...adminOperations]) {
    expect(text).toContain(`\n## ${name}\n\n\`${method} ${path}\``);
  }
});

it('finds a page for every error code, and each of them in the list', () => {
  const list = read('docs/errors/README.md');
  for (const [code, status] of Object.entries(faultStatus)) {
    expect(list).toContain(`| [${code}](${code}.md) | ${status} |`);
    expect(read(`docs/errors/${code}.md`)).toMatch(new RegExp(`^# ${code} \\(${status}\\)\n`));
  }
});
