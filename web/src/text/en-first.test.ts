import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { en as fullTexts } from './en.ts';
import { firstTexts } from './en-first.ts';

/** Files that these import statically, and they themselves. */
function listImports(files: readonly string[], found = new Set<string>()): Set<string> {
  for (const file of files) {
    if (found.has(file) || !/\.tsx?$/.test(file)) continue;
    found.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s(?!type\b)(?:[^;]*?from\s+)?'(\.[^']+)';/gm);
    listImports(
      [...imports].map(([, name = '']) => path.resolve(path.dirname(file), name)),
      found,
    );
  }
  return found;
}

/** Areas of texts that a component takes, as `useText().task`, `texts.task`, or `const { task } = useText()`. */
function listAreas(source: string): string[] {
  const named = [...source.matchAll(/(?:useText\(\)|\btexts?)\.([a-z]\w*)/gi)].map(([, area = '']) => area);
  const taken = [...source.matchAll(/\{([^{}]*)\} = (?:useText\(\)|\w*\.?texts\b)/g)].flatMap(([, areas = '']) =>
    areas.split(',').map((area) => area.trim().split(':')[0] ?? ''),
  );
  return [...named, ...taken].filter((area) => area !== '');
}

it('the home page names only texts that are loaded with it', () => {
  const entries = ['app/main.tsx', 'app/palette.tsx', 'app/keyboard-help.tsx', 'home/home-page.tsx'];
  const files = [...listImports(entries.map((name) => path.join(import.meta.dirname, '..', name)))];
  const isComponent = (file: string) => !file.includes(`${path.sep}text${path.sep}`);
  const areas = new Set(files.filter(isComponent).flatMap((file) => listAreas(readFileSync(file, 'utf8'))));
  expect([...areas]).toEqual(expect.arrayContaining(['app', 'home']));
  // What else the patterns find are strings named `text`, and parts of an area.
  const others = new Set(Object.keys(fullTexts).filter((area) => !(area in firstTexts)));
  expect([...areas].filter((area) => others.has(area))).toEqual([]);
});
