import { describe, expect, it } from 'vitest';
import { testSandbox } from '../../../../test/support/sandbox/sandbox-under-test.ts';
import { listFurnishings, usualModules } from './furnishings.ts';

describe('the furnishings of a machine', () => {
  it('are what it has of the usual, what is missing, and the packages that would bring it', () => {
    const found = { programs: ['python3', 'git', 'magick', 'zip'], modules: ['pandas', 'numpy'] };
    const { programs, modules, missing, packages } = listFurnishings(found);
    expect(programs).toEqual(['git', 'convert', 'zip']);
    expect(modules).toEqual(['pandas', 'numpy']);
    expect(missing).toContain('tesseract');
    expect(missing).toContain('scipy');
    expect(missing).not.toContain('pandas');
    expect(packages).toEqual(expect.arrayContaining(['ripgrep', 'python3-scipy']));
  });

  it('name no module where there is no Python', () => {
    expect(listFurnishings({ programs: ['git'], modules: [] }).missing).not.toContain('pandas');
  });

  it.skipIf(!testSandbox)('are found inside the sandbox, each module only if it can be imported there', async () => {
    expect(testSandbox?.programs).toEqual(expect.arrayContaining(['python3', 'node']));
    for (const name of testSandbox?.modules ?? []) expect(Object.keys(usualModules)).toContain(name);
  });
});
