import { createRequire } from 'node:module';

/** Whether pdf.js finds the canvas with which it draws pages: an optional package, because it takes 35 MB. Loads it. */
export function hasCanvas(): boolean {
  const reader = createRequire(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  try {
    reader('@napi-rs/canvas');
    return true;
  } catch {
    return false;
  }
}
