import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listBundled, listShipped, readLock } from './lock-file.mjs';
import { writeSbom } from './write-sbom.mjs';

it('the SBOM has every shipped package with version, license, and checksum, no tool of the build, and no open reference', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sbom-'));
  try {
    const file = path.join(folder, 'sbom.cdx.json');
    await writeSbom(process.cwd(), file);
    const sbom = JSON.parse(readFileSync(file, 'utf8'));
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'errand', type: 'application' } } });

    const shipped = listShipped(readLock(process.cwd()), listBundled(process.cwd()));
    /** @param {readonly { name: string, version: string }[]} entries */
    const listNames = (entries) => [...new Set(entries.map(({ name, version }) => `${name}@${version}`))].toSorted();
    const others = sbom.components.filter((/** @type {any} */ component) => !component['bom-ref'].startsWith('@errand/'));
    expect(listNames(others)).toEqual(listNames(shipped));

    const withoutLicense = others.filter((/** @type {any} */ { licenses }) => !licenses?.length);
    expect(withoutLicense).toEqual([]);
    const withoutHash = listNames(others.filter((/** @type {any} */ { hashes }) => !hashes?.length));
    expect(withoutHash).toEqual(listNames(shipped.filter(({ integrity }) => integrity === null)));

    const references = new Set([sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']));
    const named = sbom.dependencies.flatMap((/** @type {any} */ { ref, dependsOn = [] }) => [ref, ...dependsOn]);
    expect(named.filter((/** @type {string} */ ref) => !references.has(ref))).toEqual([]);
    expect(new Set(sbom.dependencies.map((/** @type {any} */ { ref }) => ref))).toEqual(references);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the SBOM has every package that the bundle of the web application contains', () => {
  const text = readFileSync('web/dist/licenses.md', 'utf8');
  const bundled = [...text.matchAll(/^## (\S+) - (\S+) /gm)].map(([, name, version]) => `${name}@${version}`);
  const shipped = listShipped(readLock(process.cwd()), listBundled(process.cwd())).map(
    ({ name, version }) => `${name}@${version}`,
  );
  expect(bundled.some((one) => one.startsWith('react@'))).toBe(true);
  expect(bundled.filter((one) => !shipped.includes(one))).toEqual([]);
});
