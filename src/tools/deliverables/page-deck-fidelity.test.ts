import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress } from '@errand/sandbox/press';
import { findBrowser, findOffice } from '@errand/sandbox/programs';
import type { Workspace } from '@errand/sandbox/workspace';
import { createPressRequest } from '../pages/page-request.ts';

const { sandbox } = await openSandbox({ clock: systemClock });
const [chromium, office] = [findBrowser(), findOffice()];
const press = sandbox && chromium !== null && office !== null ? createPress({ sandbox, programs: { chromium, office } }) : null;
const generators = createGenerators(systemClock);
const skill = fileURLToPath(new URL('../../../skills/design-kit/', import.meta.url));
const signal = new AbortController().signal;
let workspace: Workspace;

useWorkspace('fidelity', (opened) => {
  workspace = opened;
});

afterAll(() => sandbox?.close());

/** A word of a PDF with its edges as parts of the page. */
interface Word {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The words of each page. */
async function readWords(pdf: string): Promise<Word[][]> {
  const { stdout } = (await sandbox?.run({ command: ['pdftotext', '-bbox', pdf, '-'], workspace, signal })) ?? {};
  const pages = (stdout?.toString() ?? '').split('<page ').slice(1);
  return pages.map((page) => {
    const [, width = 1, height = 1] = (/width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? []).map(Number);
    const words = page.matchAll(/<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)/g);
    return [...words].flatMap(([, left, top, right, bottom, text = '']): Word[] => {
      const edges = {
        left: Number(left) / width,
        top: Number(top) / height,
        right: Number(right) / width,
        bottom: Number(bottom) / height,
      };
      // Bullets are drawings in one of the two.
      return text === '•' ? [] : [{ text, ...edges }];
    });
  });
}

/** What of a page is elsewhere in the other, or has another size. */
function listDifferences(page: readonly Word[], other: readonly Word[], number: number): string[] {
  const rest = [...other];
  const differences = page.flatMap((word) => {
    const distance = (one: Word) => Math.hypot(one.left - word.left, one.top - word.top);
    const [twin] = rest.filter(({ text }) => text === word.text).toSorted((a, b) => distance(a) - distance(b));
    if (!twin) return [`${number}: ${word.text} is missing`];
    rest.splice(rest.indexOf(twin), 1);
    const edges = (['left', 'top', 'right', 'bottom'] as const).map((edge) => Math.abs(word[edge] - twin[edge]));
    const width = Math.abs(word.right - word.left - (twin.right - twin.left));
    if (Math.max(...edges) > 0.02) return [`${number}: ${word.text} is ${(Math.max(...edges) * 100).toFixed(1)} % away`];
    // The smallest words are measured to a pixel.
    if (width > Math.max(0.02 * (word.right - word.left), 1 / 1280)) return [`${number}: ${word.text} has another width`];
    return [];
  });
  return [...differences, ...rest.map(({ text }) => `${number}: ${text} is there besides`)];
}

/** A presentation of the example of the design kit, and the page itself, both as PDF. */
async function makeBoth(theme: string, scheme: string): Promise<void> {
  const example = await readFile(join(skill, 'examples/deck.html'), 'utf8');
  // A chart of the office has other words than its drawing.
  const html = example
    .replace(/data-theme="\w+"/, `data-theme="${theme}" data-scheme="${scheme}"`)
    .replace(/<svg[^]*<\/svg>/, '');
  await workspace.write('examples/deck.html', html);
  await cp(join(skill, 'kit'), join(workspace.root, 'kit'), { recursive: true });
  const call = { workspace, owner: 'a1', signal };
  const slides = { data: 'data/deck', html: null };
  await press?.run(
    createPressRequest({ page: { path: 'examples/deck.html' }, view: 'paper', pdf: 'page.pdf', slides, mostPictures: 0 }),
    call,
  );
  const job = { path: 'deck.pptx', data: 'data/deck.json' };
  const { files } = await generators.make('pageDeck', job, { owner: 'a1', signal, readFile: (path) => workspace.read(path) });
  await workspace.write('deck.pptx', files[0]?.bytes ?? '');
  await press?.run(createPressRequest({ page: { path: 'deck.pptx' }, view: 'paper', pdf: 'office.pdf', mostPictures: 0 }), call);
}

describe.skipIf(press === null)('a deck made of a page', () => {
  it.each([
    ['deck', 'light'],
    ['editorial', 'dark'],
  ])('has every word of the theme %s, %s, within 2 percent of its place and width in an office', async (theme, scheme) => {
    await makeBoth(theme, scheme);
    const [page, other] = await Promise.all([readWords('page.pdf'), readWords('office.pdf')]);
    expect([page.length, other.length]).toEqual([10, 10]);
    expect(page.flat().length).toBeGreaterThan(150);
    expect(page.flatMap((words, at) => listDifferences(words, other[at] ?? [], at + 1))).toEqual([]);
  });
});
