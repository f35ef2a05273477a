import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';
import { listPackages } from './lock-file.mjs';

const run = promisify(execFile);

/**
 * The checksum that the registry names for a package, or null where it does not have it.
 * @param {string} id `name@version`
 * @returns {Promise<string | null>}
 */
async function askRegistry(id) {
  try {
    const { stdout } = await run('npm', ['view', id, 'dist.integrity']);
    return stdout.trim() || null;
  } catch (error) {
    if (/E404/.test(String(error))) return null;
    throw error;
  }
}

/**
 * Adds the checksums that a lock file lacks, one package after the other.
 * @param {string} text of the lock file
 * @param {(id: string) => Promise<string | null>} [findIntegrity]
 * @returns {Promise<{ text: string, missing: string[] }>} `missing` are packages that the registry does not have
 */
export async function fillIntegrity(text, findIntegrity = askRegistry) {
  /** @type {{ packages: Record<string, object> }} */
  const lock = JSON.parse(text);
  const missing = [];
  for (const { path, name, version, integrity } of listPackages(lock)) {
    if (integrity !== null) continue;
    const found = await findIntegrity(`${name}@${version}`);
    if (found === null) missing.push(`${name}@${version}`);
    else {
      // Where npm writes it: after the version.
      const { version: _, ...rest } = /** @type {{ version: string }} */ (lock.packages[path]);
      lock.packages[path] = { version, integrity: found, ...rest };
    }
  }
  return { text: `${JSON.stringify(lock, null, 2)}\n`, missing };
}

if (import.meta.main) {
  const { text, missing } = await fillIntegrity(readFileSync('package-lock.json', 'utf8'));
  writeFileSync('package-lock.json', text);
  for (const id of missing) console.log(`the registry does not have ${id}`);
  if (missing.length > 0) process.exitCode = 1;
}
