import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { PressJob } from './press-job.ts';

export const workspace = '/workspace';
/** The path of a page that is no file. */
export const loosePage = '.press-page.html';

export interface PageServer {
  /** The address of the workspace's top, with a slash. */
  origin: string;
  /** Requested files that do not exist. */
  missing: Set<string>;
  close(): void;
}

/** Below this path pages find the fonts of the service. */
export const fontsPath = '.press-fonts/';

/** The file of a folder that a path leads to, links followed; null if none. */
function findFile(path: string, folder = workspace): string | null {
  try {
    const file = realpathSync(join(folder, path));
    if (file !== folder && !file.startsWith(`${folder}/`)) return null;
    return statSync(file).isDirectory() ? findFile(join(path, 'index.html'), folder) : file;
  } catch {
    return null;
  }
}

/** Serves the workspace, the job's extras, its page, and the fonts on the sandbox's own loopback; nothing else can be reached from there. */
export async function servePages(job: PressJob): Promise<PageServer> {
  const loose = Object.entries(job.extras).map(([path, bytes]): [string, Buffer] => [path, Buffer.from(bytes, 'base64')]);
  const own = new Map<string, Buffer>(loose);
  if ('html' in job.page) own.set(loosePage, Buffer.from(job.page.html));
  const missing = new Set<string>();
  const server = createServer((request, response) => {
    let path = '';
    try {
      path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    } catch {
      response.writeHead(400).end();
      return;
    }
    const headers = { 'content-type': job.types[extname(path).slice(1).toLowerCase()] ?? 'application/octet-stream' };
    const bytes = own.get(path);
    const isFont = path.startsWith(fontsPath);
    const find = () => (isFont ? findFile(path.slice(fontsPath.length), job.fonts.folder) : findFile(path));
    const file = bytes ? null : find();
    if (bytes) response.writeHead(200, headers).end(bytes);
    else if (file === null) {
      if (path !== 'favicon.ico') missing.add(path);
      response.writeHead(404).end();
    } else {
      const typed = { 'content-type': job.types[extname(file).slice(1).toLowerCase()] ?? headers['content-type'] };
      createReadStream(file)
        .once('open', () => response.writeHead(200, typed))
        .once('error', () => response.destroy())
        .pipe(response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    origin,
    missing,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Whether a link of a page leads to something that exists. */
export function leadsSomewhere(path: string): boolean {
  return findFile(path) !== null;
}
