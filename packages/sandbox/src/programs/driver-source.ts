import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

export type { PageShot } from './page-screenshot-driver.ts';
export type { WorkspaceGate, WorkspaceSite } from './workspace-server.ts';

export interface DriverText {
  text: string;
  /** The file extension, by which Node detects the language: the published package is JavaScript. */
  kind: string;
}

/** The source of one of our files that Node runs inside the sandbox; `place` is the URL of a module in the same folder. */
function loadDriver(name: string, place: string): DriverText {
  const file = new URL(`./${name}${extname(place)}`, place);
  return { text: readFileSync(file, 'utf8'), kind: extname(place) === '.ts' ? 'module-typescript' : 'module' };
}

/** The driver that takes a screenshot of a page. */
export function loadPageShotDriver(): DriverText {
  return loadDriver('page-screenshot-driver', import.meta.url);
}

/** The server that shows a browser its workspace. */
export function loadWorkspaceServer(): DriverText {
  return loadDriver('workspace-server', import.meta.url);
}
