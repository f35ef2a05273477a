import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { describePackage, listNativeFiles, listPackageFiles, prepareBundle } from './package-files.mjs';

const program = 'usr/lib/errand';
const units = ['errand.service', 'errand-api.service', 'errand-worker@.service'];
/** Debian's name of the architecture that Node runs on. */
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

/** @param {string} target @param {string | Buffer} content @param {number} [mode] */
function write(target, content, mode = 0o644) {
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o755 });
  writeFileSync(target, content);
  chmodSync(target, mode);
}

/**
 * The service as it is installed, with the packages and the Node of this checkout.
 * @param {string} root
 * @param {string} folder
 */
function copyProgram(root, folder) {
  const target = path.join(folder, program);
  for (const file of [...listPackageFiles(root), ...listNativeFiles(root)]) {
    const place = path.join(target, file);
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o755 });
    copyFileSync(path.join(root, file), place);
    chmodSync(place, file === 'bin/errand' ? 0o755 : 0o644);
  }
  write(path.join(target, 'package.json'), JSON.stringify(describePackage(root), null, 2));
  const node = path.join(target, 'node_modules/.bin/node');
  mkdirSync(path.dirname(node), { mode: 0o755 });
  copyFileSync(path.join(root, 'node_modules/node/bin/node'), node);
  chmodSync(node, 0o755);
  mkdirSync(path.join(folder, 'usr/bin'), { mode: 0o755 });
  symlinkSync('../lib/errand/bin/errand', path.join(folder, 'usr/bin/errand'));
}

/**
 * Units, settings, and what Debian asks of every package.
 * @param {string} root
 * @param {string} folder
 * @param {string} version
 */
function copySystemFiles(root, folder, version) {
  const system = path.join(folder, 'lib/systemd/system');
  for (const unit of units) {
    write(path.join(system, unit), readFileSync(path.join(root, 'deploy/systemd', unit)));
    write(path.join(system, `${unit}.d/service.conf`), readFileSync(path.join(root, 'deploy/systemd/service.conf')));
  }
  const debian = path.join(root, 'deploy/debian');
  write(path.join(folder, 'etc/errand/errand.env'), readFileSync(path.join(debian, 'errand.env')), 0o640);
  const documents = path.join(folder, 'usr/share/doc/errand');
  write(path.join(documents, 'copyright'), readFileSync(path.join(debian, 'copyright')));
  const date = execFileSync('git', ['log', '-1', '--format=%aD'], { cwd: root, encoding: 'utf8' }).trim();
  const entry = `errand (${version}) stable; urgency=medium\n\n  * /usr/lib/errand/CHANGELOG.md has the changes.\n\n -- The Errand project <errand@localhost>  ${date}\n`;
  write(path.join(documents, 'changelog.gz'), gzipSync(entry, { level: 9 }));
}

/**
 * Every file below a folder, relative to it, sorted.
 * @param {string} folder
 */
function listTree(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return files.toSorted();
}

/**
 * The part of the package that dpkg reads: control, checksums, settings that it does not overwrite, scripts.
 * @param {string} root
 * @param {string} folder
 * @param {string} version
 */
function writeControl(root, folder, version) {
  const debian = path.join(root, 'deploy/debian');
  const files = listTree(folder);
  const bytes = files.reduce((sum, file) => sum + Math.ceil(lstatSync(path.join(folder, file)).size / 1024), 0);
  const control = readFileSync(path.join(debian, 'control'), 'utf8')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture)
    .replace('@SIZE@', String(bytes));
  const sums = files
    .filter((file) => !file.startsWith('etc/'))
    .map(
      (file) =>
        `${createHash('md5')
          .update(readFileSync(path.join(folder, file)))
          .digest('hex')}  ${file}\n`,
    );
  const target = path.join(folder, 'DEBIAN');
  write(path.join(target, 'control'), control);
  write(path.join(target, 'md5sums'), sums.join(''));
  write(path.join(target, 'conffiles'), '/etc/errand/errand.env\n');
  for (const script of ['postinst', 'prerm', 'postrm'])
    write(path.join(target, script), readFileSync(path.join(debian, script)), 0o755);
}

/**
 * Builds the Debian package of an installed and built checkout, for the platform it is installed on.
 * @param {string} root
 * @param {string} output folder where to write it
 * @param {string} compression as `dpkg-deb -Z` takes it; zstd, which Debian 12 reads, takes seconds where xz takes minutes
 * @returns {string} its path
 */
function buildDebianPackage(root, output, compression) {
  const { version } = describePackage(root);
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-debian-'));
  try {
    chmodSync(folder, 0o755);
    copyProgram(root, folder);
    copySystemFiles(root, folder, version);
    writeControl(root, folder, version);
    mkdirSync(output, { recursive: true });
    const target = path.join(output, `errand_${version}_${architecture}.deb`);
    const level = compression === 'zstd' ? ['-z10'] : [];
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, ...level, '--build', folder, target], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return target;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../..');
  const built = prepareBundle(root);
  const [output = path.join(root, 'dist/release'), compression = 'zstd'] = process.argv.slice(2);
  const target = buildDebianPackage(root, path.resolve(output), compression);
  console.log(`${path.relative(process.cwd(), target)}: ${(lstatSync(target).size / 1e6).toFixed(1)} MB, ${built}`);
}
