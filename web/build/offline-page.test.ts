import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { composeOfflinePage } from './offline-page.ts';
import { offlineTexts } from './offline-texts.ts';

const { html, policy } = composeOfflinePage(fileURLToPath(new URL('../offline', import.meta.url)));

it('the offline page loads nothing, and only its own script and style run', () => {
  expect(html).not.toMatch(/(src|href)="(?!data:,")/);
  for (const [name, rule] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ] as const) {
    const found = [...html.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, code = '']) => code);
    expect(found).toHaveLength(1);
    const hash = createHash('sha256')
      .update(found[0] ?? '')
      .digest('base64');
    expect(policy).toContain(`${rule} 'sha256-${hash}'`);
  }
  expect(policy).not.toContain('unsafe');
});

it('the offline page says everything in each language', () => {
  const said = Object.values(offlineTexts).flatMap(({ offline, unreachable, retry }) => [
    ...[offline.title, offline.body, unreachable.title, unreachable.body],
    retry,
  ]);
  expect(new Set(said).size).toBe(4 * 5);
  for (const text of said) expect(html).toContain(text);
});
