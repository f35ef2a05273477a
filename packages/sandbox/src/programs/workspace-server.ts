import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';

/**
 * Runs inside the sandbox of a browser and shows it the workspace, as an origin of its own. This file's text is passed to Node there, so it
 * imports nothing from the service.
 */

export interface WorkspaceSite {
  root: string;
  port: number;
  /** Content types by the endings of files. */
  types: Readonly<Record<string, string>>;
}

/** Refuses everything until it is opened. */
export interface WorkspaceGate {
  open(): void;
}

/** The file that a path leads to, links followed; null if none. */
function findFile(root: string, path: string): string | null {
  try {
    const file = realpathSync(join(root, path));
    if (file !== root && !file.startsWith(`${root}/`)) return null;
    if (file.startsWith(`${root}/.browser`)) return null;
    return statSync(file).isDirectory() ? findFile(root, join(path, 'index.html')) : file;
  } catch {
    return null;
  }
}

/** The uppermost folder above a page that has an index.html: links such as /style.css begin there. */
function findSite(root: string, page: string): string | null {
  let found: string | null = null;
  for (let folder = dirname(page); folder !== '/' && folder !== '.'; folder = dirname(folder)) {
    if (findFile(root, join(folder, 'index.html')) !== null) found = folder;
  }
  return found;
}

function readPath(address: string | undefined): string | null {
  try {
    return decodeURIComponent(new URL(address ?? '', 'http://localhost').pathname);
  } catch {
    return null;
  }
}

function sendFile(file: string, types: Readonly<Record<string, string>>, response: ServerResponse): void {
  const type = types[extname(file).slice(1).toLowerCase()] ?? 'application/octet-stream';
  createReadStream(file)
    .once('open', () => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }))
    .once('error', () => response.destroy())
    .pipe(response);
}

/** The text of a refusal is a page too, which must not be one of the workspace's origin. */
function refuse(response: ServerResponse): void {
  response
    .writeHead(403, {
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': 'sandbox',
      'cache-control': 'no-store',
    })
    .end('Only pages of the workspace may load files of the workspace; the step open shows one.');
}

function answer({ root, types }: WorkspaceSite, path: string, request: IncomingMessage, response: ServerResponse): void {
  const file = findFile(root, path);
  if (file !== null && statSync(file).isFile()) {
    // The links of a folder's page are relative to the folder.
    if (!path.endsWith('/') && file.endsWith('/index.html') && !path.endsWith('/index.html')) {
      response.writeHead(307, { location: `${encodeURI(path)}/` }).end();
    } else sendFile(file, types, response);
    return;
  }
  const base = findSite(root, readPath(request.headers.referer) ?? '/');
  if (base !== null && !path.startsWith(`${base}/`) && findFile(root, join(base, path)) !== null) {
    response.writeHead(307, { location: encodeURI(join(base, path)) }).end();
    return;
  }
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`There is no ${path} in the workspace.`);
}

/** Serves the workspace to the browser beside it. */
export async function serveWorkspace(site: WorkspaceSite): Promise<WorkspaceGate> {
  let isOpen = false;
  const server = createServer((request, response) => {
    const path = readPath(request.url);
    // Pages of other origins may neither embed nor load what is in the workspace.
    const from = request.headers['sec-fetch-site'];
    if (isOpen && path !== null && (from === 'same-origin' || from === 'none')) answer(site, path, request, response);
    else refuse(response);
  });
  await new Promise<void>((resolve) => server.listen(site.port, '127.0.0.1', resolve));
  return {
    open: () => {
      isOpen = true;
    },
  };
}
