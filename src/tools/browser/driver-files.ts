import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { libraryMount } from '@errand/sandbox';
import { loadWorkspaceServer } from '@errand/sandbox/drivers';

/** The program that Node runs in the sandbox: it writes our driver to a folder of the sandbox and hands it its input. */
const starter = (folder: string) => `
import { mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { exit, stdin, stdout } from 'node:process';
const lines = createInterface({ input: stdin })[Symbol.asyncIterator]();
const { files, main, server, request } = JSON.parse((await lines.next()).value);
mkdirSync('${folder}/driver', { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync('${folder}/' + name, text);
const [{ serve }, { serveWorkspace }, { chromium }] = await Promise.all([
  import('${folder}/driver/' + main),
  import('${folder}/' + server),
  import('${libraryMount}/index.mjs'),
]);
const gate = await serveWorkspace(request.site);
const say = (report) => stdout.write(JSON.stringify(report) + '\\n');
await serve({ lines, request, gate, chromium, say, end: () => exit(1) });
`;

const folder = '/tmp/browser';

/** Starts the driver, which then waits for the first line. */
export const driverCommand: readonly string[] = [
  'node',
  '--disable-warning=ExperimentalWarning',
  '--input-type=module',
  '-e',
  starter(folder),
];

export interface DriverFiles {
  files: Readonly<Record<string, string>>;
  /** The driver, and the server of its workspace. */
  main: string;
  server: string;
}

/** The sources of the driver, as they are in this installation: TypeScript, or JavaScript where that is published. */
export function readDriverFiles(): DriverFiles {
  const ending = extname(import.meta.url);
  const place = new URL('./driver/', import.meta.url);
  const names = readdirSync(place).filter((name) => name.endsWith(ending) && !name.endsWith(`.test${ending}`));
  const files = names.map((name): [string, string] => [`driver/${name}`, readFileSync(new URL(name, place), 'utf8')]);
  const server = `workspace-server${ending}`;
  const others = { 'package.json': '{"type":"module"}', [server]: loadWorkspaceServer().text };
  return { files: { ...others, ...Object.fromEntries(files) }, main: `browser-driver${ending}`, server };
}
