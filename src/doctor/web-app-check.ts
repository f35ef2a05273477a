import { builtFolder } from '../http/web/web-app.ts';
import { findWebFiles } from '../http/web/web-assets.ts';
import type { Check } from './check.ts';

/** Whether the web application is built. */
export function checkWeb(): Check {
  const name = 'web application';
  if (findWebFiles(builtFolder) !== null) return { name, state: 'ok', found: 'built' };
  return { name, state: 'missing', found: 'not built; the API works without it', remedy: 'npm run build' };
}
