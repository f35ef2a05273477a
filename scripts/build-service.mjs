import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { replaceThreadFiles } from './thread-files.ts';

// Runs after `npm ci`: bundles the service into dist, which starts a third faster and holds 19 MB less than its 700 source files.
// The launcher runs the sources while one of them is newer (docs/internals/decisions/0030-the-service-is-bundled.md). `--if-stale`
// builds only then.

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist');
const program = join(target, 'main.js');
/** The bundled file of each entry by its source, for tests, whose threads start sooner from the bundle. */
const entries = join(target, 'entries.json');
/** Parts of an earlier build stay this long, because a running service may not have loaded them yet. */
const keptMs = 24 * 3_600_000;

/**
 * Threads run bundled files too; everything else that code finds by its own URL stays where it is.
 * @type {import('rolldown').Plugin}
 */
const places = {
  name: 'places',
  transform(code, id) {
    if (!code.includes('import.meta.url') || id.includes('node_modules')) return null;
    const bundled = replaceThreadFiles(code, (name) => {
      const file = resolve(dirname(id), name);
      return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: file, name: basename(file, '.ts') })})`;
    });
    const original = JSON.stringify(relative(target, id));
    return { code: bundled.replaceAll('import.meta.url', `new URL(${original}, import.meta.url).href`) };
  },
};

/** Packages of other authors stay in node_modules. */
const isPackage = (/** @type {string} */ id) => !/^[./]|^@errand\//.test(id);

/** True where no source is newer than what was built of it. */
function isFresh() {
  if (!existsSync(program) || !existsSync(entries)) return false;
  const { mtimeMs } = statSync(program);
  const folders = globSync(['src', 'packages/*/src'], { cwd: root }).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name)),
  );
  return folders.every((path) => statSync(path).mtimeMs <= mtimeMs);
}

/**
 * The commit that is bundled: what the builder says, as one does whose copy has no history, else that of the checkout; null if unknown.
 * @returns {string | null}
 */
function findCommit() {
  const given = process.env.ERRAND_BUILD_COMMIT;
  if (given) return given.slice(0, 12);
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    // The history may be that of a project around an unpacked copy.
    if (resolve(git('rev-parse', '--show-toplevel')) !== resolve(root)) return null;
    const hasChanges = git('status', '--porcelain', '--', 'src', 'packages') !== '';
    return git('rev-parse', 'HEAD').slice(0, 12) + (hasChanges ? '+changes' : '');
  } catch {
    return null;
  }
}

/**
 * Packages among the imports of the bundle that neither the service nor a part of it depends on, such as helpers of the bundler itself.
 * @param {readonly string[]} imports
 */
function findUnknownPackages(imports) {
  const manifests = ['.', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))];
  const known = new Set(
    manifests.flatMap((folder) => {
      const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      );
      return Object.keys({ ...dependencies, ...optionalDependencies });
    }),
  );
  const packages = imports.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(packages)].filter((name) => !name.startsWith('node:') && !known.has(name)).toSorted();
}

/** Bundles the service; without the packages of development, what was built before stays. */
async function buildService() {
  const rolldown = await import('rolldown').catch(() => null);
  if (!rolldown) {
    console.error('The service was not bundled, because rolldown is not installed: it runs from its sources.');
    return;
  }
  const bundle = await rolldown.rolldown({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    plugins: [places],
    external: isPackage,
    transform: { define: { ERRAND_BUILD_COMMIT: JSON.stringify(findCommit()) } },
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: target,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  const sources = output.flatMap((file) =>
    file.type === 'chunk' && file.facadeModuleId ? [[relative(root, file.facadeModuleId), file.fileName]] : [],
  );
  writeFileSync(entries, JSON.stringify(Object.fromEntries(sources)));
  const own = new Set(output.map(({ fileName }) => fileName));
  const imports = output.flatMap((file) => (file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : []));
  const unknown = findUnknownPackages(imports.filter((name) => !own.has(name)));
  // A file that is loaded later would fail when somebody needs it.
  if (unknown.length > 0) throw new Error(`The bundle imports packages that nobody depends on: ${unknown.join(', ')}`);
  for (const name of readdirSync(target)) {
    // Beside them: what is made for a release.
    if (name.endsWith('.js') && Date.now() - statSync(join(target, name)).mtimeMs > keptMs) rmSync(join(target, name));
  }
}

if (!process.argv.includes('--if-stale') || !isFresh()) await buildService();
