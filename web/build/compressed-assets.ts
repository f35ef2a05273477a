import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(html|js|mjs|css|svg|json|txt|wasm)$/;
/** Below this, a compressed copy saves no packet. */
const smallestBytes = 1_000;
/** Above this, the last percent would take seconds: such files are loaded on demand. */
const largestThoroughBytes = 250_000;

const [packBrotli, packGzip] = [promisify(brotliCompress), promisify(gzip)];

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < smallestBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > largestThoroughBytes ? 8 : 11 };
  const [brotli, gzipped] = await Promise.all([packBrotli(bytes, { params }), packGzip(bytes, { level: 9 })]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}

/** Writes a `.br` and a `.gz` beside each file that gets smaller by it, so that the service never compresses while it serves. */
export function compressedAssets(): Plugin {
  return {
    name: 'compressed-assets',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
      await Promise.all(files.map((file) => compressFile(join(file.parentPath, file.name))));
    },
  };
}
