import { hasCanvas } from '@errand/documents/canvas';
import type { Check } from './check.ts';

/** Whether PDFs get covers. */
export function checkCovers(): Check {
  const name = 'pdf covers';
  if (hasCanvas()) return { name, state: 'ok', found: '@napi-rs/canvas draws the first page' };
  const found =
    'PDFs have no pictures of their first page: the optional package @napi-rs/canvas is not installed, or not for this platform';
  return { name, state: 'missing', found, remedy: 'npm install @napi-rs/canvas' };
}
