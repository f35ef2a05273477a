import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { fontsMount, libraryMount, type Sandbox, type SandboxResult } from '../sandbox.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { PressJob, PressReport } from './press-job.ts';

export type { Finding, PaperSize, PressReport } from './press-job.ts';

/** The most concurrent pages, because each needs several hundred megabytes and a core. */
const maxAtOnce = 2;

const mebibyte = 1024 * 1024;
const limits = {
  wallMs: 300_000,
  memoryBytes: 1536 * mebibyte,
  processes: 512,
  fileBytes: 256 * mebibyte,
  outputBytes: mebibyte,
};

/** Content types of files for the browser; others are served as data. */
const types: Record<string, string> = {
  ...{
    html: 'text/html; charset=utf-8',
    htm: 'text/html; charset=utf-8',
    xhtml: 'application/xhtml+xml',
    css: 'text/css; charset=utf-8',
  },
  ...{
    js: 'text/javascript; charset=utf-8',
    mjs: 'text/javascript; charset=utf-8',
    json: 'application/json',
    wasm: 'application/wasm',
  },
  ...{ svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ avif: 'image/avif', ico: 'image/x-icon', woff: 'font/woff', woff2: 'font/woff2', ttf: 'font/ttf', otf: 'font/otf' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', mp3: 'audio/mpeg', wav: 'audio/wav', ogg: 'audio/ogg' },
  ...{
    txt: 'text/plain; charset=utf-8',
    md: 'text/plain; charset=utf-8',
    csv: 'text/csv; charset=utf-8',
    xml: 'application/xml',
  },
};

/** A page to show, without what the press itself knows. */
export type PressRequest = Omit<PressJob, 'programs' | 'types' | 'fonts' | 'extras'> & {
  /** Files that the page finds at these paths besides the workspace. */
  extras: ReadonlyMap<string, Uint8Array>;
};

export interface PressCall {
  workspace: Pick<Workspace, 'root' | 'quota'>;
  /** The owner of the work, so that waiting owners take turns. */
  owner: string;
  signal: AbortSignal;
}

/** Shows pages and says what is wrong with them. */
export interface Press {
  /** Rejects with a Fault if no page could be made. */
  run(request: PressRequest, call: PressCall): Promise<PressReport>;
}

/** Packages with fonts for Chinese, Japanese, and Korean, a file for some hundred characters each. */
const fontPackages = ['noto-sans-sc', 'noto-sans-tc', 'noto-sans-jp', 'noto-sans-kr'];

/** Where the packages of fonts are; null if they are not installed. */
function findFonts(): string | null {
  const { resolve } = createRequire(import.meta.url);
  try {
    return dirname(dirname(resolve(`@fontsource-variable/${fontPackages[0]}/package.json`)));
  } catch {
    return null;
  }
}

function readReport({ end, stdout, stderr }: SandboxResult): PressReport {
  if (end !== 'exit') {
    const reason = end === 'time' ? 'took too long' : `took too much ${end === 'output' ? 'room' : end}`;
    throw new Fault('unavailable', `The page could not be shown: it ${reason}. Make it smaller or simpler.`);
  }
  try {
    return JSON.parse(stdout.toString().trim().split('\n').at(-1) ?? '') as PressReport;
  } catch (cause) {
    const detail = stderr.toString().slice(-2000);
    throw new Fault('unavailable', 'The page could not be shown: the browser failed to start or crashed.', { cause, detail });
  }
}

export interface PressParts {
  sandbox: Pick<Sandbox, 'run'>;
  /** Paths of the programs, as in the sandbox. */
  programs: PressJob['programs'];
}

/** The machine's Chromium as a press, in the sandbox and without a network. */
export function createPress({ sandbox, programs }: PressParts): Press {
  const slots = new FairGate({ capacity: maxAtOnce });
  // The file's own extension: the published package is JavaScript.
  const program = `press-driver${extname(import.meta.url)}`;
  const library = dirname(fileURLToPath(new URL(`./${program}`, import.meta.url)));
  const fonts = findFonts();
  const installed = fonts === null ? [] : fontPackages.filter((name) => existsSync(join(fonts, name)));
  return {
    run({ extras, ...request }, { workspace, owner, signal }) {
      return slots.run({ owner, signal }, async () => {
        const files = Object.fromEntries([...extras].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]));
        const job: PressJob = { ...request, programs, types, fonts: { folder: fontsMount, packages: installed }, extras: files };
        const command = ['node', '--disable-warning=ExperimentalWarning', `${libraryMount}/${program}`];
        const mounted = fonts === null ? {} : { fonts };
        const result = await sandbox.run({ command, stdin: JSON.stringify(job), library, ...mounted, workspace, signal, limits });
        const report = readReport(result);
        if (report.problem !== null) throw new Fault('unavailable', `The page could not be shown: ${report.problem}.`);
        return report;
      });
    },
  };
}
