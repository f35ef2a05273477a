import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * The part of a changelog about one version, without its heading; null if there is none.
 * @param {string} changelog
 * @param {string} version as in its heading: `0.2.0`, or `Unreleased`
 * @returns {string | null}
 */
export function findNotes(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((one) => one.split(/[\s\]]/, 1)[0]?.replace('[', '') === version);
  return part === undefined ? null : part.slice(part.indexOf('\n')).trim();
}

/**
 * The release notes from the changelog. Links to pages of the repository are made to work elsewhere.
 * @param {string} notes
 * @param {string} repository URL of the files at this version, such as `https://example.com/errand/blob/v0.2.0/`
 */
export function describeRelease(notes, repository) {
  return notes.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, (_, target) => `](${new URL(target, repository).href})`);
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../..');
  const [version = '', repository = ''] = process.argv.slice(2);
  const notes = findNotes(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), version);
  if (notes === null) {
    console.error(
      `CHANGELOG.md has no version "${version}"\n    Usage: node scripts/release/release-notes.mjs VERSION [URL of the files]`,
    );
    process.exitCode = 1;
  } else console.log(repository === '' ? notes : describeRelease(notes, repository));
}
