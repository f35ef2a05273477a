import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeRelease, findNotes } from './release-notes.mjs';

const changelog =
  '# Changes\n\n## Unreleased\n\n- next\n\n## 0.2.0 (2026-12-01)\n\n### Added\n- [it](docs/README.md)\n\n## 0.1.0\n\n- first\n';

it('release notes are the part of the changelog about a version', () => {
  expect(findNotes(changelog, '0.2.0')).toBe('### Added\n- [it](docs/README.md)');
  expect(findNotes(changelog, '0.1.0')).toBe('- first');
  expect(findNotes(changelog, '0.3.0')).toBe(null);
});

it('links of release notes lead to the files of that version', () => {
  const text = 'see [it](docs/README.md) and [that](https://example.org/x)';
  expect(describeRelease(text, 'https://example.com/errand/blob/v0.2.0/')).toBe(
    'see [it](https://example.com/errand/blob/v0.2.0/docs/README.md) and [that](https://example.org/x)',
  );
});

it('the changelog has notes about the version of package.json, or about what is unreleased', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const text = readFileSync('CHANGELOG.md', 'utf8');
  expect(findNotes(text, version) ?? findNotes(text, 'Unreleased')).toMatch(/^### /);
});
