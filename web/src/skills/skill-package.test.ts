import { describe, expect, it } from 'vitest';
import { listPackagePaths } from './skill-package.ts';

describe('the folder of a skill', () => {
  it('is packed without its own name and without system files', () => {
    const paths = [
      'letters/SKILL.md',
      'letters/.DS_Store',
      'letters/scripts/run.py',
      'letters/.git/HEAD',
      'letters/node_modules/a/b.js',
    ];
    expect(listPackagePaths(paths)).toEqual([
      { from: 'letters/SKILL.md', to: 'SKILL.md' },
      { from: 'letters/scripts/run.py', to: 'scripts/run.py' },
    ]);
  });
});
