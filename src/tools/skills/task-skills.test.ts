import { expect, it } from 'vitest';
import { noFiles } from '../../../test/support/tasks/agent-under-test.ts';
import { unpackSkill } from './task-skills.ts';

it('a loaded skill names its scripts, and a folder of many files as one line', async () => {
  const fonts = Array.from({ length: 50 }, (_, index) => `kit/fonts/${index}.woff2`);
  const files = ['examples/a.html', ...fonts, 'kit/kit.css', 'scripts/bundle.mjs'].map((path) => ({
    path,
    content: Buffer.alloc(0),
  }));
  const skill = { name: 'kit', description: 'A kit', body: 'Do it.', files };
  const text = await unpackSkill(skill, { ...noFiles, write: () => Promise.resolve() });
  expect(text.split('in the workspace:\n')[1]).toBe(
    ['examples/a.html', 'kit/fonts/ (50 files)', 'kit/kit.css', 'scripts/bundle.mjs']
      .map((line) => `- .skills/kit/${line}`)
      .join('\n'),
  );
});
