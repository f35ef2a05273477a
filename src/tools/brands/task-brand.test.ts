import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { openSandbox } from '@errand/sandbox/open-sandbox';
import { createPress } from '@errand/sandbox/press';
import { findBrowser } from '@errand/sandbox/programs';
import type { Workspace } from '@errand/sandbox/workspace';
import { partOf } from '../../../test/support/files/office-samples.ts';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { type Brand, emptyBrand } from '../../rules/brands/brand.ts';
import { officialSkillId } from '../../rules/skills/skill.ts';
import { OfficialSkills } from '../../skills/official-skills.ts';
import { createMakeChart } from '../deliverables/make-chart.ts';
import { createMakeDocument } from '../deliverables/make-document.ts';
import { createMakeSpreadsheet } from '../deliverables/make-spreadsheet.ts';
import { createRender } from '../pages/render.ts';
import { unpackSkill } from '../skills/task-skills.ts';
import { describeBrand, placeBrand, type TaskBrand } from './task-brand.ts';

const { sandbox } = await openSandbox({ clock: systemClock });
const chromium = findBrowser();
const press = sandbox && chromium !== null ? createPress({ sandbox, programs: { chromium, office: null } }) : null;
const generators = createGenerators(systemClock);
let workspace: Workspace;

useWorkspace('brand', (opened) => {
  workspace = opened;
});

afterAll(() => sandbox?.close());

const logo = { blobId: 'logo', filename: 'logo.svg', bytes: 90, form: 'svg' as const };
const template = { blobId: 'docx', filename: 'letter.docx', bytes: 5, form: 'docx' as const };
const facts: Brand = {
  ...emptyBrand,
  name: 'Rivermouth',
  colors: { accent: '#b3002d', chart: ['#b3002d', '#335577'] },
  fonts: { heading: 'Manrope' },
  logo,
  templates: { docx: template },
  footer: 'Old Quay 1',
};
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><path fill="#00aa00" d="M0 0h30v10H0z"/></svg>';

function brandOf(changes: Partial<Brand> = {}, updatedAtMs = 1): TaskBrand {
  const read = (file: { blobId: string }) => Promise.resolve(Buffer.from(file.blobId === 'logo' ? svg : 'templ'));
  return { facts: { ...facts, ...changes }, updatedAtMs, read };
}

const read = async (path: string) => (await workspace.read(path)).toString();

describe('the brand of a task', () => {
  it('is told to the model in a few words, with its files', () => {
    expect(describeBrand(brandOf())).toBe(
      'The user has a brand (Rivermouth). Pages of the skill design-kit, documents, workbooks, and charts have its look unless they name another theme: use it without being asked. Its logo is .brand/logo.svg. Its templates are .brand/template.docx (Word): fill them with edit_office when such a file is wanted.',
    );
    expect(describeBrand(brandOf({ name: '', logo: null, templates: {} })).length).toBeLessThan(190);
  });

  it('lies in the workspace, and is replaced when it has changed', async () => {
    await placeBrand(brandOf(), workspace);
    expect([await read('.brand/logo.svg'), await read('.brand/template.docx')]).toEqual([svg, 'templ']);
    await workspace.write('.brand/template.docx', 'filled by mistake');
    await placeBrand(brandOf(), workspace);
    expect(await read('.brand/template.docx')).toBe('filled by mistake');
    await placeBrand(brandOf({ logo: null }, 2), workspace);
    expect(await read('.brand/template.docx')).toBe('templ');
    await expect(read('.brand/logo.svg')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('dresses the design kit, and its examples name it', async () => {
    const kit = await new OfficialSkills().load(officialSkillId('design-kit'));
    if (!kit) throw new Error('there is no design kit');
    const text = await unpackSkill(kit, workspace, brandOf());
    expect(text).toMatch(/^The skill design-kit:\n\nThe user has a brand\./);
    const folder = '.skills/design-kit';
    expect(await read(`${folder}/kit/brand.css`)).toContain('--accent: light-dark(#b3002d');
    expect(await read(`${folder}/kit/brand/logo.svg`)).toBe(svg);
    expect(await read(`${folder}/examples/report.html`)).toContain('data-theme="brand"');
    expect(await unpackSkill(kit, workspace)).not.toContain('has a brand.');
  });

  it('gives charts its colors, unless they have their own', async () => {
    const chart = createMakeChart(generators);
    const draw = async (more: object) => {
      const input = { path: 'a.svg', type: 'bar', labels: ['a', 'b'], series: [{ name: 'x', values: [1, 2] }], ...more };
      await chart.run(chart.input.parse(input), toolContext(workspace, { brand: brandOf() }));
      return read('a.svg');
    };
    expect(await draw({})).toMatch(/#b3002d/i);
    expect(await draw({ theme: 'brand' })).toMatch(/#b3002d/i);
    expect(await draw({ colors: ['#00ff00'] })).not.toMatch(/#b3002d/i);
    expect(await draw({ theme: 'deck' })).not.toMatch(/#b3002d/i);
  });

  it('is the look of Word documents that name no theme, with a word on the template', async () => {
    const tool = createMakeDocument(generators);
    const make = async (more: object) => {
      const input = { files: ['a.docx'], markdown: '# Title\n\nText', ...more };
      const { output } = await tool.run(tool.input.parse(input), toolContext(workspace, { brand: brandOf() }));
      return { output, theme: partOf(await workspace.read('a.docx'), 'word/theme/theme1.xml') };
    };
    const own = await make({});
    expect(own.theme).toMatch(/<a:accent1><a:srgbClr val="B3002D"/i);
    expect(own.output).toContain('.brand/template.docx');
    expect((await make({ theme: 'technical' })).theme).not.toMatch(/B3002D/i);
    await workspace.write('page.html', '<html><body><h1>Title</h1></body></html>');
    expect((await make({ markdown: undefined, source: 'page.html' })).theme).toMatch(/B3002D/i);
  });

  it('is the look of workbooks: of their headers, totals, fonts, and the series of their charts', async () => {
    const tool = createMakeSpreadsheet(generators);
    const sheet = {
      name: 'Net',
      columns: [{ header: 'Month' }, { header: 'Net', total: 'sum' }],
      rows: [['May', 3]],
      charts: [{ type: 'bar', x: 'Month', y: ['Net'] }],
    };
    const make = async (brand?: TaskBrand) => {
      const input = tool.input.parse({ files: ['a.xlsx'], sheets: [sheet] });
      await tool.run(input, toolContext(workspace, brand ? { brand } : {}));
      const bytes = await workspace.read('a.xlsx');
      const theme = partOf(bytes, 'xl/theme/theme1.xml');
      return { styles: partOf(bytes, 'xl/styles.xml'), chart: partOf(bytes, 'xl/charts/chart1.xml'), theme };
    };
    const own = await make(brandOf({ fonts: { text: 'EB Garamond' } }));
    expect(own.styles).toMatch(/B3002D/);
    expect(own.styles).toContain('Times New Roman');
    expect(own.styles).not.toContain('EEF3FA');
    expect(own.chart).toMatch(/B3002D/);
    // What the program offers as colors and fonts of the theme, in the order in which it wants them.
    const places = [
      'dk1',
      'lt1',
      'dk2',
      'lt2',
      'accent1',
      'accent2',
      'accent3',
      'accent4',
      'accent5',
      'accent6',
      'hlink',
      'folHlink',
    ];
    expect([...own.theme.matchAll(/<a:(\w+)><a:srgbClr/g)].map(([, place]) => place)).toEqual(places);
    expect(own.theme).toContain('<a:accent1><a:srgbClr val="B3002D"/></a:accent1><a:accent2><a:srgbClr val="335577"/>');
    expect(own.theme).toMatch(/<a:minorFont><a:latin typeface="EB Garamond"\/>/);
    const file = { blobId: 'font', filename: 'own.ttf', bytes: 9, form: 'ttf' as const };
    expect((await make(brandOf({ fonts: { text: file } }))).theme).toMatch(/<a:minorFont><a:latin typeface="Arial"\/>/);
    const usual = await make();
    expect(usual.styles).toContain('EEF3FA');
    expect(usual.styles + usual.chart + usual.theme).not.toMatch(/B3002D/);
  });

  it.skipIf(!press)('is the look of PDFs and of pages without a theme, with its footer and logo', async () => {
    if (!press) throw new Error('there is no browser');
    const kit = await new OfficialSkills().load(officialSkillId('design-kit'));
    if (kit) await unpackSkill(kit, workspace, brandOf());
    const page = (theme: string) =>
      `<!doctype html><html lang="en"${theme}><head><meta charset="utf-8"><link rel="stylesheet" href=".skills/design-kit/kit/kit.css"></head><body><header class="cover"><h1>A title</h1></header><main><h2>A chapter</h2><p>Some words.</p></main></body></html>`;
    const colors: Record<string, string[]> = {};
    for (const [name, theme] of Object.entries({ own: '', named: ' data-theme="brand"', other: ' data-theme="deck"' })) {
      await workspace.write(`${name}.html`, page(theme));
      const render = createRender(press);
      await render.run(render.input.parse({ path: `${name}.html`, view: 'paper' }), toolContext(workspace, {}));
      const { default: sharp } = await import('sharp');
      const { data, info } = await sharp(await workspace.read(`.render/${name}-paper-1.png`))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const seen = new Set<string>();
      for (let at = 0; at < data.length; at += info.channels * 7) seen.add(data.subarray(at, at + 3).toString('hex'));
      colors[name] = ['b3002d', '00aa00', '4a35d4'].filter((color) => seen.has(color));
    }
    expect(colors).toMatchObject({ own: ['b3002d', '00aa00'], named: ['b3002d', '00aa00'] });
    expect(colors['other']).not.toContain('b3002d');
    expect(colors['other']).not.toContain('00aa00');
    const tool = createMakeDocument(generators, press);
    const input = { files: ['a.pdf'], markdown: `# Title\n\n${'Text. '.repeat(300)}` };
    const { output } = await tool.run(tool.input.parse(input), toolContext(workspace, { brand: brandOf() }));
    expect(output).toContain('Made a.pdf');
  });
});
