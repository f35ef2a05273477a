import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listSettings } from './settings-help.ts';

it('the table in docs/operate/self-hosting.md lists every setting correctly', () => {
  const text = readFileSync(new URL('../../../docs/operate/self-hosting.md', import.meta.url), 'utf8');
  const shown = text.split('\n').filter((line) => /^\| `(ERRAND|OTEL)_/.test(line));
  expect(shown).toEqual(listSettings().map(({ name, about, fallback }) => `| \`${name}\` | ${about} | ${fallback} |`));
});
