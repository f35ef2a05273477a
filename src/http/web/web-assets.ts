import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

/** Precompressed variants, in order of preference. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
export type Coding = (typeof codings)[number][0];

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** A file of the built application. Its bytes are read on demand. */
export interface WebAsset {
  file: string;
  contentType: string;
  codings: readonly Coding[];
}

/** A small file at a URL of its own: the application's page, which is requested most. */
export interface WebPage {
  bytes: Buffer;
  etag: string;
}

export interface WebFiles {
  page: WebPage;
  /** The program that shows pushed notifications. Its URL never changes, because browsers look there for a newer one. */
  serviceWorker: WebPage;
  /** The files by name. Only listed files exist, whatever the path looks like. */
  assets: ReadonlyMap<string, WebAsset>;
}

function isVariant(name: string): boolean {
  return codings.some(([, ending]) => name.endsWith(ending));
}

function describe(folder: string, name: string, all: ReadonlySet<string>): WebAsset {
  const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
  const known = codings.filter(([, ending]) => all.has(name + ending)).map(([coding]) => coding);
  return { file: join(folder, name), contentType, codings: known };
}

/** Every file below a folder, by its path there; none without the folder. */
export function findFiles(folder: string): ReadonlyMap<string, WebAsset> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const paths = entries.flatMap((entry) => (entry.isFile() ? relative(folder, join(entry.parentPath, entry.name)) : []));
  const names = new Set(paths);
  return new Map(paths.filter((name) => !isVariant(name)).map((name) => [name, describe(folder, name, names)]));
}

function stamp(bytes: Buffer): WebPage {
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

/** The output of `npm run build` in a folder, or null if it has not been run. */
export function findWebFiles(folder: string): WebFiles | null {
  try {
    const bytes = readFileSync(join(folder, 'index.html'));
    const place = join(folder, 'assets');
    const names = new Set(readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entry.name : [])));
    const own = [...names].filter((name) => !isVariant(name));
    const serviceWorker = stamp(readFileSync(join(folder, 'service-worker.js')));
    return { page: stamp(bytes), serviceWorker, assets: new Map(own.map((name) => [name, describe(place, name, names)])) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The best copy for a client; null for the uncompressed file. */
export function chooseCoding(asset: WebAsset, accepted: string | undefined): Coding | null {
  const offered = new Set(
    (accepted ?? '').split(',').flatMap((part) => {
      const [name = '', quality = ''] = part.split(';', 2);
      return /^\s*q=0(\.0*)?\s*$/.test(quality) ? [] : [name.trim().toLowerCase()];
    }),
  );
  return asset.codings.find((coding) => offered.has(coding)) ?? null;
}

/** The path of a variant. */
export function fileOf({ file }: WebAsset, coding: Coding | null): string {
  return file + (codings.find(([name]) => name === coding)?.[1] ?? '');
}
