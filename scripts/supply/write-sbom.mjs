import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { licenseOf } from './licenses.mjs';
import { listBundled, listShipped, readLock } from './lock-file.mjs';

/**
 * @typedef {{ 'bom-ref': string, name: string, licenses?: unknown[], properties?: { name: string }[] }} Component
 * @typedef {{ ref: string, dependsOn?: string[] }} Dependency
 * @typedef {{ metadata: { component: Component & { type: string } }, components: Component[], dependencies: Dependency[] }} Sbom
 */

const run = promisify(execFile);

/**
 * A license that npm leaves out: unlisted by the package itself, or under a name that is not an SPDX id.
 * @param {string} license
 */
function describeLicense(license) {
  return { license: license === 'BSD' ? { name: license } : { id: license } };
}

/**
 * Everything in the lock file as npm describes it.
 * @param {string} root
 * @returns {Promise<Sbom>}
 */
async function askNpm(root) {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

/**
 * Writes the CycloneDX list of what is shipped: packages of production, and those in the bundle of the web application, which npm
 * counts as development. Builds for all platforms are in it.
 * @param {string} root
 * @param {string} file
 * @returns {Promise<number>} how many components it lists
 */
export async function writeSbom(root, file) {
  const packages = readLock(root);
  const shipped = new Map(listShipped(packages, listBundled(root)).map((entry) => [`${entry.name}@${entry.version}`, entry]));
  const { metadata, components, dependencies, ...rest } = await askNpm(root);
  const kept = components.flatMap((component) => {
    const ref = component['bom-ref'];
    if (ref.startsWith('@errand/')) return [component];
    const entry = shipped.get(ref);
    if (!entry) return [];
    const properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development') ?? [];
    const license = licenseOf(entry, packages);
    const licenses = component.licenses ?? (license === null ? [] : [describeLicense(license)]);
    return [{ ...component, properties, licenses }];
  });
  const refs = new Set([metadata.component, ...kept].map((component) => component['bom-ref']));
  const edges = dependencies.flatMap(({ ref, dependsOn = [] }) =>
    refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }] : [],
  );
  // npm names the application after the folder of the checkout.
  const component = { ...metadata.component, name: 'errand' };
  mkdirSync(path.dirname(file), { recursive: true });
  const sbom = { ...rest, metadata: { ...metadata, component }, components: kept, dependencies: edges };
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return kept.length;
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../..');
  const file = path.resolve(process.argv[2] ?? path.join(root, 'dist/sbom.cdx.json'));
  const count = await writeSbom(root, file);
  console.log(`${path.relative(process.cwd(), file)}: ${count} components`);
}
