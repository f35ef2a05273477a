import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Document, Packer, Paragraph, TextRun } from 'docx';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';
import { runInFolder, testSandbox } from '../../test/support/sandbox/sandbox-under-test.ts';
import { officialSkillId } from '../rules/skills/skill.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { unpackSkill } from '../tools/skills/task-skills.ts';
import { OfficialSkills } from './official-skills.ts';

const official = new OfficialSkills();
let base: string;
let root: string;

beforeEach(() => {
  base = createFolder('skills');
  root = join(base, 'acc', 'task');
});

afterEach(() => removeFolder(base));

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

async function load(name: string): Promise<void> {
  const skill = await official.load(officialSkillId(name));
  if (!skill) throw new Error(`no skill ${name}`);
  expect(await unpackSkill(skill, openWorkspace(root))).toContain(`.skills/${name}/scripts/`);
}

const run = (skill: string, line: string) => runInFolder(root, `node .skills/${skill}/scripts/${line}`);

describe.runIf(testSandbox)('the scripts of the shipped skills work in the sandbox:', () => {
  it('data-analysis profiles and groups a table', async () => {
    await load('data-analysis');
    put('d.csv', 'region;year;revenue\nNorth;2023;10\nNorth;2024;20\n"South; east";2024;30\n"South; east";2024;30\n;2024;\n');
    const profile = await run('data-analysis', 'profile.mjs d.csv --json');
    expect(profile.exitCode).toBe(0);
    const { rows, duplicates, columns } = JSON.parse(profile.output) as Record<string, unknown> & { columns: unknown[] };
    expect([rows, duplicates]).toEqual([5, 1]);
    expect(columns[2]).toMatchObject({ name: 'revenue', type: 'number', missing: 1, min: 10, max: 30, mean: 22.5, median: 25 });
    put('old.csv', Buffer.from('Straße;Preis €\nBad;1\n'.replace('€', '\x80'), 'latin1'));
    expect((await run('data-analysis', 'profile.mjs old.csv --json')).output).toContain('"Preis €"');
    const line =
      "aggregate.mjs d.csv --by region --sum revenue --count --where 'year>=2024' --sort revenue_sum:desc --out out.csv";
    expect((await run('data-analysis', line)).output).toBe('out.csv: 3 groups of 4 rows (1 left out)\n');
    expect(read('out.csv')).toBe('region,count,revenue_sum\nSouth; east,2,60\nNorth,1,20\n,1,\n');
  });

  it('research-report numbers citations and finds those without a source', async () => {
    await load('research-report');
    put(
      's.json',
      JSON.stringify([
        { key: 'a', title: 'A', url: 'https://a.example', date: '2025' },
        { key: 'b', title: 'B', url: 'https://b.example' },
      ]),
    );
    put('d.md', 'One [@b]. Two [@a; @b].\n');
    expect(await run('research-report', 'assemble.mjs d.md s.json r.md')).toMatchObject({ exitCode: 0 });
    expect(read('r.md')).toBe(
      'One [1]. Two [2, 1].\n\n## Sources\n\n1. B. <https://b.example>\n2. A (2025). <https://a.example>\n',
    );
    put('d.md', 'Three [@c].\n');
    const failed = await run('research-report', 'assemble.mjs d.md s.json r.md');
    expect([failed.exitCode, failed.output]).toEqual([1, expect.stringContaining('[@c] is cited, but there is no such source')]);
  });

  it('slide-deck makes a page of the design kit from an outline and warns about crowded slides', async () => {
    await load('slide-deck');
    put('o.md', `# Deck\n## One message has three words\n${'- point\n'.repeat(6)}Notes: <say> this\n`);
    const built = await run('slide-deck', 'build-deck.mjs o.md d.html --theme keynote');
    expect([built.exitCode, built.output]).toEqual([0, expect.stringContaining('has 6 points')]);
    expect(read('d.html')).toContain('<aside class="notes"><p>&lt;say&gt; this</p></aside>');
    expect(read('d.html')).toContain('<html lang="en" data-theme="keynote">');
    expect(read('d.html').match(/<section class="slide/g)).toHaveLength(2);
  });

  it('website scaffolds pages that its own check accepts, and finds errors', async () => {
    await load('website');
    expect(await run('website', 'scaffold.mjs site --title "A & B" --pages index,menu,sign-up:form')).toMatchObject({
      exitCode: 0,
    });
    put('site/og.png', Buffer.from('\x89PNG', 'latin1'));
    expect((await run('website', 'check-site.mjs site')).output).toBe('site: 6 files, 0 problems\n');
    expect(read('site/sign-up.html')).toMatch(/<form id="form"[^]*<script src="form.js" defer>/);
    expect(read('site/menu.html')).not.toContain('<script');
    expect(await run('website', 'scaffold.mjs other --pages index:shop')).toMatchObject({ exitCode: 64 });
    for (const kind of ['landing', 'landing+form', 'dashboard', 'docs', 'form', 'game']) {
      expect(await run('website', `scaffold.mjs ${kind} --title "A & B" --kind ${kind}`)).toMatchObject({ exitCode: 0 });
      put(`${kind}/og.png`, Buffer.from('\x89PNG', 'latin1'));
      expect((await run('website', `check-site.mjs ${kind}`)).output).toMatch(/: [345] files, 0 problems\n$/);
    }
    await run('website', 'scaffold.mjs shop --kind landing --pages start,index,contact:form');
    expect(['start', 'index'].map((page) => read(`shop/${page}.html`).includes('class="cards steps"'))).toEqual([true, false]);
    expect(read('landing+form/index.html')).toMatch(/class="cards steps"[^]*<form id="form"[^]*<script src="form.js" defer>/);
    put('d.csv', 'Date;Name;Code;Sum\n2025-03-31;"</script>; a";0123;1.5\n2025-04-01;b;0456;\n');
    await run('website', 'scaffold.mjs figures --kind dashboard --data d.csv');
    expect(read('figures/data.js')).toContain(
      '["2025-03-31","\\u003c/script>; a","0123",1.5],\n    ["2025-04-01","b","0456",null],',
    );
    expect((await run('website', 'check-site.mjs figures')).output).toMatch(/^hint: .*og\.png.*not there yet\n.* 0 problems\n$/);
    expect(await run('website', 'scaffold.mjs figures --kind dashboard --data none.csv')).toMatchObject({ exitCode: 66 });
    put('site/form.js', 'if (');
    put('site/og.png', 'GIF89a');
    const broken = (await run('website', 'check-site.mjs site')).output;
    expect(broken).toContain('form.js: cannot run: SyntaxError');
    expect(broken).toContain('og.png: is no png');
    const page = read('site/menu.html').replace(
      '</main>',
      '<h3>x</h3><a href="gone.html">x</a><img src="https://x.example/a.png"></main>',
    );
    put('site/menu.html', page);
    const checked = await run('website', 'check-site.mjs site');
    expect(checked.exitCode).toBe(1);
    for (const problem of ['gone.html leads nowhere', 'no alternative text', 'asks another host', 'h1 is followed by h3']) {
      expect(checked.output).toContain(problem);
    }
  });

  it('document-editing replaces wording across runs of a DOCX and lists the changes', async () => {
    await load('document-editing');
    const sentence = [new TextRun('Pay with'), new TextRun({ text: 'in thirty', bold: true }), new TextRun(' days & more.')];
    const document = new Document({
      sections: [{ children: [new Paragraph({ children: sentence }), new Paragraph('Second.')] }],
    });
    put('c.docx', await Packer.toBuffer(document));
    put('e.json', JSON.stringify([{ old: 'within thirty days', new: 'within <14> days' }]));
    expect((await run('document-editing', 'docx-replace.mjs c.docx e.json c2.docx')).output).toBe(
      'c2.docx: 1 replacements by 1 edits\n',
    );
    expect((await run('document-editing', 'docx-text.mjs c2.docx')).output).toBe('1\tPay within <14> days & more.\n2\tSecond.\n');
    const compared = await run('document-editing', 'compare.mjs c.docx c2.docx');
    expect(compared.output).toBe(
      '- Pay within thirty days & more.\n+ Pay within <14> days & more.\n1 paragraphs removed or changed, 1 added or changed\n',
    );
    put('e.json', JSON.stringify([{ old: 'nowhere', new: 'x' }]));
    expect(await run('document-editing', 'docx-replace.mjs c.docx e.json c3.docx')).toMatchObject({ exitCode: 1 });
  });
});
