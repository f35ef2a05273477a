import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { systemClock } from '@errand/base/clock.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress } from '@errand/sandbox/press';
import { findBrowser } from '@errand/sandbox/programs';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import { officialSkillId, type SkillPackage } from '../rules/skills/skill.ts';
import { unpackSkill } from '../tools/skills/task-skills.ts';
import { OfficialSkills } from './official-skills.ts';

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const press = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office: null } }) : null;
const themes = ['report', 'deck', 'editorial', 'technical', 'keynote', 'minimal', 'academic', 'playful'];
const folder = '.skills/design-kit';

let kit: SkillPackage;
let workspace: Workspace;

beforeEach(async () => {
  workspace = openWorkspace(createFolder('kit'));
  const found = await new OfficialSkills().load(officialSkillId('design-kit'));
  if (!found) throw new Error('there is no design kit');
  kit = found;
  await unpackSkill(kit, workspace);
});

afterEach(() => removeFolder(workspace.root));

afterAll(() => sandbox?.close());

const signal = new AbortController().signal;

async function show(path: string, view: 'screen' | 'paper') {
  if (!press) throw new Error('there is no browser');
  const window = { width: 1280, height: 800, isPhone: false };
  const places = { pdf: null, slides: null, pictures: null, ranges: [], mostPictures: 0, pictureWidth: 600 };
  const order = { page: { path }, extras: new Map(), view, window, scheme: 'light' as const, paper: null, ...places };
  const { findings, pageCount } = await press.run(order, { workspace, owner: 'a1', signal });
  return { pageCount, findings: findings.map(({ page, element, words, text }) => `${page} ${element} ${words}: ${text}`) };
}

/** The body of an example in every theme, light and dark, one below the other. */
function inEveryTheme(example: string): string {
  const [, body = ''] = /<body[^>]*>([^]*)<\/body>/.exec(example) ?? [];
  const unnumbered = body.replaceAll(/ (id|href)="#?[^"]*"/g, '');
  const look = 'background: var(--ground); color: var(--ink); font-family: var(--text-font)';
  return themes
    .flatMap((theme) => ['light', 'dark'].map((scheme) => [theme, scheme]))
    .map(
      ([theme, scheme]) =>
        `<div id="${theme}-${scheme}" data-theme="${theme}" data-scheme="${scheme}" style="${look}">${unnumbered}</div>`,
    )
    .join('\n');
}

describe('the design kit', () => {
  it('leaves room for the numbers of long lists, which pages would cut', () => {
    const text = readFileSync(new URL('../../skills/design-kit/kit/text.css', import.meta.url), 'utf8');
    const paddingOf = (selector: string) => {
      const [, rule = ''] = text.split(`\n${selector} {\n`);
      return Number(/^  padding-inline-start: ([\d.]+)em;/.exec(rule)?.[1]);
    };
    // A digit takes up to 0.6 em, the point and the space after it 0.7 em.
    expect(paddingOf('ol:where([start], :has(> li:nth-child(10)))')).toBeGreaterThanOrEqual(1.9);
    expect(paddingOf('ol:where(:has(> li:nth-child(100)))')).toBeGreaterThanOrEqual(2.5);
  });

  it('says itself in at most 12 KB, with every theme and every part that its styles have', () => {
    const text = readFileSync(new URL('../../skills/design-kit/SKILL.md', import.meta.url), 'utf8');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12 * 1024);
    for (const theme of themes) expect(text).toContain(`| \`${theme}\` |`);
    const bytes = kit.files.reduce((sum, { content }) => sum + content.length, 0);
    expect(bytes).toBeLessThan(1.6 * 1024 * 1024);
    const sheets = kit.files.filter(({ path }) => /^kit\/(?:parts|forms|media)\.css$/.test(path));
    const styles = sheets.map(({ content }) => content.toString()).join('\n');
    const parts = new Set([...styles.matchAll(/^\.([a-z-]+)[ ,{.>]/gm)].map(([, name = '']) => name));
    for (const part of parts) expect(text, part).toContain(part);
  });

  it.skipIf(press === null)('has examples in which there is nothing to mend, on paper', async () => {
    expect(await show(`${folder}/examples/report.html`, 'paper')).toEqual({ pageCount: 5, findings: [] });
    expect(await show(`${folder}/examples/deck.html`, 'paper')).toEqual({ pageCount: 10, findings: [] });
  });

  it.skipIf(press === null)(
    'can be read in every theme, light and dark: nothing is pale, cut off, or set in a missing font',
    async () => {
      for (const name of ['report', 'deck']) {
        const example = (await workspace.read(`${folder}/examples/${name}.html`)).toString();
        const head = '<!doctype html><html lang="en"><head><title>All</title><link rel="stylesheet" href="kit/kit.css"></head>';
        await workspace.write(`${folder}/all.html`, `${head}<body>${inEveryTheme(example)}</body></html>`);
        expect(
          (await show(`${folder}/all.html`, 'screen')).findings.filter((line) => !line.includes('too high for one view')),
        ).toEqual([]);
      }
    },
  );

  it.skipIf(!sandbox?.languages.includes('javascript'))(
    'puts a page with its styles, fonts, and pictures into one file',
    async () => {
      await workspace.write('page/dot.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
      const link = `<link rel="stylesheet" href="../${folder}/kit/kit.css">`;
      await workspace.write(
        'page/a.html',
        `<html data-theme="deck"><head>${link}</head><body>Ж<img src="dot.svg" alt=""><img src="no.png" alt=""></body></html>`,
      );
      const command = ['node', `${folder}/scripts/bundle.mjs`, 'page/a.html', 'out.html'];
      const { stdout } = (await sandbox?.run({ command, workspace, signal })) ?? {};
      expect(stdout?.toString()).toMatch(/^out\.html: \d+ KB in one file\.\nmissing: page\/no\.png\n$/);
      const made = (await workspace.read('out.html')).toString();
      expect(made).toContain('src="data:image/svg+xml;base64,');
      expect(made).not.toMatch(/@import|<link|url\("?fonts/);
      const families = [...made.matchAll(/@font-face\s*\{[^}]*font-family: "([^"]+)"[^}]*base64/g)].map(([, name]) => name);
      expect(families).toEqual(['Manrope', 'Manrope']);
    },
  );
});
