import { writeXlsx } from 'hucre';
import { afterAll, describe, expect, it } from 'vitest';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress, type Press, type PressRequest, type PressReport } from '@errand/sandbox/press';
import { findBrowser, findOffice } from '@errand/sandbox/programs';
import type { Workspace } from '@errand/sandbox/workspace';
import type { ToolContext } from '../toolbox/tool.ts';
import { createRender } from './render.ts';

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const office = findOffice();
const real = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office } }) : null;
let workspace: Workspace;

useWorkspace('render', (opened) => {
  workspace = opened;
});

afterAll(() => sandbox?.close());

async function render(press: Press, input: Record<string, unknown>, changes: Partial<ToolContext> = {}) {
  const tool = createRender(press);
  return await tool.run(tool.input.parse(input), toolContext(workspace, changes));
}

/** A press that only notes what it was asked for. */
function listen(report: Partial<PressReport> = {}): { press: Press; requests: PressRequest[] } {
  const requests: PressRequest[] = [];
  const run = (request: PressRequest) => {
    requests.push(request);
    return Promise.resolve({ problem: null, pageCount: 1, pictures: [], findings: [], ...report });
  };
  return { press: { run }, requests };
}

describe('render', () => {
  it('shows a site in a window, office files and PDFs on paper, and puts a PDF beside its source', async () => {
    for (const path of ['site/index.html', 'a/plan.docx', 'r.html']) await workspace.write(path, 'x');
    const { press, requests } = listen();
    await render(press, { path: 'site' });
    await render(press, { path: 'site', view: 'phone', scheme: 'dark' });
    await render(press, { path: 'a/plan.docx', pages: '2, 4-6' });
    await render(press, { path: 'r.html', as: 'pdf', size: 'letter' });
    await render(press, { path: 'r.html', to: 'shots/r.png' });
    expect(requests).toMatchObject([
      { page: { path: 'site/index.html' }, view: 'screen', pdf: null, pictures: '.render/site-index', scheme: 'light' },
      { view: 'screen', window: { width: 390, isPhone: true }, scheme: 'dark' },
      {
        page: { path: 'a/plan.docx' },
        view: 'paper',
        pictures: '.render/a-plan-docx',
        ranges: [
          [2, 2],
          [4, 6],
        ],
      },
      { view: 'paper', pdf: 'r.pdf', paper: { widthInches: 8.5 } },
      { pictures: 'shots/r' },
    ]);
  });

  it('names the other pages of a folder, of which it shows the first', async () => {
    for (const path of ['index.html', 'menu.html', 'de/menu.html', 'style.css']) await workspace.write(`site/${path}`, 'x');
    expect((await render(listen().press, { path: 'site' })).output).toMatch(
      /\nNot shown: site\/de\/menu\.html, site\/menu\.html\. Render each\.$/,
    );
    expect((await render(listen().press, { path: 'site/menu.html' })).output).not.toContain('Not shown');
  });

  it('tells each finding with its page, element and first words, or that there is none', async () => {
    await workspace.write('a.html', 'x');
    const finding = {
      kind: 'cut' as const,
      page: 3,
      element: 'h2.title',
      words: 'A very\nlong',
      text: 'is cut off below by 9 px',
    };
    const pictures = [{ path: '.render/a-1.png', page: 1 }];
    const { press } = listen({ findings: [finding, { ...finding, page: null, element: '', text: 'a script failed' }], pictures });
    const { output } = await render(press, { path: 'a.html' });
    expect(output).toBe(
      'a.html: 1 page. Pictures: .render/a-1.png.\nTo mend:\n- page 3: h2.title "A very long" is cut off below by 9 px\n- a script failed\nYou cannot see pictures: go by the words of results, and tell the user that nobody has looked at the pages.',
    );
    expect((await render(listen().press, { path: 'a.html' })).output).toMatch(/Nothing is cut off/);
  });

  it('says what it cannot show', async () => {
    await workspace.write('a.txt', 'x');
    const { press } = listen();
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ path: 'none.html' }, /does not exist/],
      [{ path: 'a.txt' }, /path: "a\.txt" is neither a page, a PDF, an office file, nor a folder with index\.html/],
      [{ path: '../x.html' }, /leads out of the workspace/],
    ];
    for (const [input, problem] of wrong) await expect(render(press, input), JSON.stringify(input)).rejects.toThrow(problem);
    await workspace.write('a.html', 'x');
    await expect(render(press, { path: 'a.html', pages: '3-1' })).rejects.toThrow(/pages: "3-1" is no page/);
    await expect(render(press, { path: 'a.html', as: 'pdf', to: 'a.doc' })).rejects.toThrow(/must end in \.pdf/);
  });

  it('does not call sound what it has not looked at, as the cells of a workbook', async () => {
    for (const path of ['a.pdf', 'a.xlsx']) {
      await workspace.write(path, 'x');
      const { output } = await render(listen().press, { path });
      expect(output).toBe(`${path}: 1 page. Pictures: none of the pages asked for.`);
    }
  });

  it.skipIf(real === null || office === null)('finds no fault with the pages of a workbook that are not full', async () => {
    const sheets = ['Costs', 'Notes'].map((name) => ({
      name,
      rows: [
        ['Month', 'Rent'],
        ['January', 900],
      ],
    }));
    await workspace.write('costs.xlsx', await writeXlsx({ sheets }));
    const { output } = await render(real as Press, { path: 'costs.xlsx' });
    expect(output).toMatch(
      /^costs\.xlsx: 2 pages\. Pictures: \.render\/costs-xlsx-1\.png to \.render\/costs-xlsx-2\.png\.\nYou cannot see pictures: .*$/,
    );
  });

  it.skipIf(real === null)('shows the model its pictures', async () => {
    await workspace.write(
      'deck.html',
      '<!doctype html><html lang="en"><title>D</title><style>.slide { height: 300px }</style><section class="slide">One</section><section class="slide">Two</section></html>',
    );
    const show = (name: string, picture: Uint8Array) => Promise.resolve({ blobId: 'b', bytes: picture.length, name });
    const { output, pictures } = await render(real as Press, { path: 'deck.html' }, { show });
    expect(output).toContain('deck.html: 2 pages. Pictures: .render/deck-1.png to .render/deck-2.png.');
    expect(output).not.toContain('no pictures');
    expect(pictures?.map(({ name }) => name)).toEqual(['.render/deck-1.png', '.render/deck-2.png']);
  });
});
