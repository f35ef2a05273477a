import { createWriteStream, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { describePackage, listPackageFiles, prepareBundle } from './package-files.mjs';

/** One time for all files, that of npm's own tarballs, so that the same sources make the same bytes. */
const mtime = new Date('1985-10-26T08:15:00Z');

/**
 * Writes the tarball that `npm install` takes, from an installed and built checkout.
 * @param {string} root
 * @param {string} folder where to write it
 * @returns {Promise<string>} its path
 */
async function packService(root, folder) {
  const description = describePackage(root);
  mkdirSync(folder, { recursive: true });
  const target = path.join(folder, `${description.name}-${description.version}.tgz`);
  const tarball = pack();
  const written = pipeline(tarball, createGzip(), createWriteStream(target));
  /** @param {string} name @param {Buffer} bytes @param {number} mode */
  const write = (name, bytes, mode) =>
    new Promise((resolve, reject) => {
      const header = { name: `package/${name}`, size: bytes.length, mode, mtime };
      tarball.entry(header, (error) => (error ? reject(error) : resolve(undefined))).end(bytes);
    });
  await write('package.json', Buffer.from(`${JSON.stringify(description, null, 2)}\n`), 0o644);
  for (const file of listPackageFiles(root)) {
    const source = path.join(root, file);
    const isProgram = (statSync(source).mode & 0o100) !== 0;
    await write(file, readFileSync(source), isProgram ? 0o755 : 0o644);
  }
  tarball.finalize();
  await written;
  return target;
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../..');
  const built = prepareBundle(root);
  const target = await packService(root, path.resolve(process.argv[2] ?? path.join(root, 'dist/release')));
  console.log(`${path.relative(process.cwd(), target)}: ${(statSync(target).size / 1e6).toFixed(1)} MB, ${built}`);
}
