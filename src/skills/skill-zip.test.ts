import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { skillLimits, type SkillPackage } from '../rules/skills/skill.ts';
import { readPackage } from './skill-package-thread.ts';
import { readSkillText } from './skill-text.ts';

const text = '---\nname: my-skill\ndescription: Does it well.\n---\n\n# How\n\nDo it.\n';

function zip(files: Record<string, string | Uint8Array>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? strToU8(content) : content]),
    ),
  );
}

function read(files: Record<string, string | Uint8Array>): Promise<SkillPackage> {
  return readPackage({ zip: zip(files) }, systemClock, { owner: 'me', signal: new AbortController().signal });
}

describe('a skill package', () => {
  it('is read with its files, whether the archive contains the folder or its contents', async () => {
    const inside = { 'SKILL.md': text, 'scripts/run.py': 'print(1)', 'b.txt': 'b' };
    const folder = Object.fromEntries(Object.entries(inside).map(([path, content]) => [`my-skill/${path}`, content]));
    for (const files of [inside, { ...folder, '__MACOSX/my-skill/._b.txt': 'x', 'my-skill/.DS_Store': 'x' }]) {
      const skill = await read(files);
      expect(skill).toMatchObject({ name: 'my-skill', description: 'Does it well.', body: '# How\n\nDo it.' });
      expect(skill.files.map(({ path, content }) => [path, Buffer.from(content).toString()])).toEqual([
        ['b.txt', 'b'],
        ['scripts/run.py', 'print(1)'],
      ]);
    }
  });

  it.each([
    ['leads to a parent folder', { 'SKILL.md': text, '../evil': 'x' }],
    ['leads to a parent folder from within', { 'SKILL.md': text, 'a/../../evil': 'x' }],
    ['is absolute', { 'SKILL.md': text, '/etc/evil': 'x' }],
    ['leads to a parent folder with backslashes', { 'SKILL.md': text, 'a\\..\\evil': 'x' }],
    ['has names that differ only in case', { 'SKILL.md': text, 'a.txt': 'x', 'A.txt': 'y' }],
    ['is deeper than a workspace', { 'SKILL.md': text, [`${'a/'.repeat(40)}x`]: 'x' }],
    ['has no SKILL.md', { 'a.txt': 'x' }],
    ['has it too deeply nested', { 'a/b/SKILL.md': text }],
    ['has two folders', { 'a/SKILL.md': text, 'b/x.txt': 'x' }],
    ['has a SKILL.md that is not text', { 'SKILL.md': new Uint8Array([0xff, 0xfe, 0x00]) }],
    ['has too many files', { 'SKILL.md': text, ...Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, 'x'])) }],
    ['contains a file that is too large', { 'SKILL.md': text, big: new Uint8Array(skillLimits.fileBytes + 1) }],
    [
      'is a zip bomb',
      {
        'SKILL.md': text,
        ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`f${at}`, new Uint8Array(skillLimits.fileBytes)])),
      },
    ],
  ])('is rejected if it %s', async (_, files) => {
    await expect(read(files)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('is rejected if it is not a zip, or is damaged', async () => {
    const whole = zip({ 'SKILL.md': text, 'a.txt': 'x'.repeat(1000) });
    for (const bytes of [new Uint8Array(), strToU8('PK no'), whole.slice(0, -30), whole.slice(40)]) {
      await expect(
        readPackage({ zip: bytes }, systemClock, { owner: 'me', signal: new AbortController().signal }),
      ).rejects.toMatchObject({ code: 'invalid_argument' });
    }
  });

  it('is rejected if it is encrypted, contains a link, or declares false sizes', async () => {
    const bytes = zip({ 'SKILL.md': text, link: 'target' });
    const directory = Buffer.from(bytes).lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    const changed = (offset: number, value: number[]) => {
      const copy = new Uint8Array(bytes);
      copy.set(value, directory + offset);
      return copy;
    };
    const cases = [changed(8, [1, 0]), changed(38, [0, 0, 0, 0xa1]), changed(24, [1, 0, 0, 0]), changed(24, [0xff, 0xff, 0, 0])];
    for (const zipped of cases) {
      await expect(
        readPackage({ zip: zipped }, systemClock, { owner: 'me', signal: new AbortController().signal }),
      ).rejects.toMatchObject({ code: 'invalid_argument' });
    }
  });
});

describe('the front matter of a skill', () => {
  const front = (yaml: string) => `---\n${yaml}\n---\nDo it.`;

  it('may contain unknown fields, and line endings of any system', () => {
    const source = front('name: a-1\ndescription: >\n  Does this\n  and that.\nlicense: MIT\nmetadata: {a: [1]}').replaceAll(
      '\n',
      '\r\n',
    );
    expect(readSkillText(`\ufeff${source}`)).toEqual({ name: 'a-1', description: 'Does this and that.', body: 'Do it.' });
  });

  it.each([
    ['without front matter', 'Do it.'],
    ['with an unclosed one', '---\nname: a\n'],
    ['without a name', front('description: x')],
    ['without a description', front('name: a')],
    ['with a name that is not a folder name', front('name: ../a\ndescription: x')],
    ['with a name in capitals', front('name: Skill\ndescription: x')],
    ['with a list as its name', front('name: [a]\ndescription: x')],
    ['with a long description', front(`name: a\ndescription: ${'x'.repeat(1025)}`)],
    ['with invalid YAML', front('name: "a\ndescription: x')],
    ['with aliases', front('a: &a [x]\nb: [*a, *a]\nname: a\ndescription: x')],
    ['with only front matter', '---\nname: a\ndescription: x\n---\n'],
    ['that is too long', `${text}${'x'.repeat(50_000)}`],
  ])('is rejected %s', (_, source) => {
    expect(() => readSkillText(source)).toThrow(/^SKILL\.md: /);
  });
});
