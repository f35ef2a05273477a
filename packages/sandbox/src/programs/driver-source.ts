import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

export type { PageShot } from './page-screenshot-driver.ts';

export interface DriverText {
  text: string;
  /** The file extension, by which Node knows the language: the published package is JavaScript. */
  kind: string;
}

/** The text of a file of ours that Node runs inside the sandbox; `place` is the URL of a module in the same folder. */
export function loadDriver(name: string, place: string): DriverText {
  const file = new URL(`./${name}${extname(place)}`, place);
  return { text: readFileSync(file, 'utf8'), kind: extname(place) === '.ts' ? 'module-typescript' : 'module' };
}

/** The one that takes a picture of a page. */
export function loadPageShotDriver(): DriverText {
  return loadDriver('page-screenshot-driver', import.meta.url);
}
