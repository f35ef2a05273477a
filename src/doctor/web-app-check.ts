import { builtFolder } from '../http/web/web-app.ts';
import { findWebFiles } from '../http/web/web-assets.ts';

/** Whether there is a web application to serve. */
export function isWebBuilt(): boolean {
  return findWebFiles(builtFolder) !== null;
}
