import { spawn } from 'node:child_process';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

/**
 * Runs inside the sandbox next to the browser: this file's text is passed to Node there, so it imports nothing from the service. Serves a
 * folder to a browser without any other network, and takes one screenshot.
 */

export interface PageShot {
  program: string;
  folder: string;
  /** Path of the page in the folder. */
  page: string;
  picture: string;
  types: Record<string, string>;
  /** Headers with which people get the page. */
  policy: string;
  width: number;
  height: number;
  /** How long the page's scripts may run, in its virtual time. */
  budgetMs: number;
}

function findFile(folder: string, path: string): string | null {
  try {
    const file = join(folder, decodeURIComponent(path));
    if (!file.startsWith(`${folder}/`)) return null;
    return statSync(file).isDirectory() ? join(file, 'index.html') : file;
  } catch {
    return null;
  }
}

async function serveFolder({ folder, types, policy }: PageShot): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = findFile(folder, pathname);
    if (file === null) {
      response.writeHead(404).end();
      return;
    }
    const type = types[extname(file).slice(1).toLowerCase()] ?? 'application/octet-stream';
    const headers = { 'content-type': type, 'content-security-policy': policy, 'access-control-allow-origin': '*' };
    createReadStream(file)
      .once('open', () => response.writeHead(200, headers))
      .once('error', () => response.destroy())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close: () => server.close() };
}

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-zygote', '--disable-breakpad'],
  ...['--disable-background-networking', '--hide-scrollbars', '--mute-audio', '--no-first-run', '--user-data-dir=/tmp/profile'],
];

/** Takes the screenshot; resolves when the browser has exited. */
export async function takePageShot(shot: PageShot): Promise<void> {
  const { program, page, picture, width, height, budgetMs } = shot;
  const server = await serveFolder(shot);
  const own = [`--window-size=${width},${height}`, `--virtual-time-budget=${budgetMs}`, `--screenshot=${picture}`];
  const browser = spawn(program, [...flags, ...own, `http://127.0.0.1:${server.port}/${page}`], { stdio: 'ignore' });
  await new Promise((resolve, reject) => {
    browser.once('exit', resolve);
    browser.once('error', reject);
  });
  server.close();
}
