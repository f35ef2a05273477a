import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { offlineTexts } from './offline-texts.ts';

/** The offline page in one piece, and the policy it is shown with. */
export interface OfflinePage {
  html: string;
  policy: string;
}

function allow(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}

/** Puts the page in `folder` together: its style, its script, and the texts of all languages. The policy lets only these run. */
export function composeOfflinePage(folder: string): OfflinePage {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const style = read('style.css');
  const script = `const offlineTexts = ${JSON.stringify(offlineTexts)};\n${read('script.js')}`;
  const html = read('page.html')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`);
  const policy = [
    "default-src 'none'",
    `script-src ${allow(script)}`,
    `style-src ${allow(style)}`,
    'img-src data:',
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };
}
