import assert from 'node:assert/strict';
import { salesCsv } from '../../../test/artifacts/made-files-scenario.ts';
import { packOffice, unpackOffice, wordParts } from '../../../test/support/files/office-samples.ts';
import { expectAll, expectSeen, fileOf, readOffice } from '../graders.ts';
import { deliver, type Need, type PlayedJob, use } from '../job.ts';
import type { JobStage, Outcome } from '../job-stage.ts';
import { Pages } from '../pages.ts';
import type { Reply } from '../scripted-model.ts';

/** What a shipped recipe is tried with: an agent that does its work with the built-in tools, and a look at the result. */
interface RecipeRow {
  recipe: string;
  about: string;
  /** The values of its fields; that of a field for a file is the name of one of `files`. */
  values: Record<string, string>;
  files?: Record<string, string | Uint8Array>;
  needs?: readonly Need[];
  /** @param url the page that a search finds */
  replies: (url: string) => readonly Reply[];
  /** Rejects unless the result is of the kind that the recipe asks for. */
  grade: (outcome: Outcome, stage: JobStage) => void | Promise<void>;
}

const fact = 'The heliotrope lamp takes 7 watts and costs 49 euros.';
const lamps = `<!doctype html><html lang="en"><head><title>Lamps</title></head><body><article><h1>Lamps</h1><p>${fact}</p><p>${'More is known of older lamps. '.repeat(20)}</p></article></body></html>`;

const clause = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
const contract = clause('1. The tenant pays 900 euros a month.') + clause('2. Either side ends it with notice of three months.');
const toRead = { 'lease.docx': packOffice(wordParts(contract)) };
const lease = 'attachments/lease.docx';
const clauses = ['The tenant pays 900 euros a month.', 'notice of three months'];

const wordsOf = (outcome: Outcome, name: string) => readOffice(fileOf(outcome, name), /word\/document\.xml/);

/** Searches and reads what was found before the work. */
function lookUp(url: string, ...work: readonly Reply[]): Reply[] {
  return [
    use('search_web', { query: 'heliotrope lamp' }),
    ({ text }) => {
      assert.ok(text.includes(url), 'nothing was found');
      return use('fetch_url', { url });
    },
    ...work,
  ];
}

const site = '<!doctype html><meta name="viewport" content="width=device-width"><title>Lamps</title><h1>Lamps for sale</h1>';

const recipeRows: readonly RecipeRow[] = [
  {
    recipe: 'Research a question',
    about: 'a page is searched for, read, and cited in a Word document',
    values: { question: 'What does the lamp take?', length: 'one page' },
    replies: (url) =>
      lookUp(
        url,
        use('make_document', { files: ['report.docx'], markdown: `# Lamps\n\nSeven watts ([source](${url})).` }),
        deliver('report.docx'),
        { text: 'Seven watts.' },
      ),
    grade(outcome) {
      expectAll(wordsOf(outcome, 'report.docx'), ['Seven watts']);
      const relations = unpackOffice(fileOf(outcome, 'report.docx')).get('word/_rels/document.xml.rels')?.toString() ?? '';
      assert.match(relations, /Target="http:[^"]+\/lamps"/);
    },
  },
  {
    recipe: 'Compare products',
    about: 'facts and prices of the web come into a workbook with their address',
    values: { products: 'lamps', criteria: 'watts, price' },
    replies: (url) =>
      lookUp(
        url,
        use('make_spreadsheet', {
          files: ['lamps.xlsx'],
          sheets: [
            {
              name: 'Lamps',
              columns: [{ header: 'Product' }, { header: 'Watts' }, { header: 'Price' }, { header: 'Source' }],
              rows: [['heliotrope', 7, 49, url]],
            },
          ],
        }),
        deliver('lamps.xlsx'),
        { text: 'The heliotrope lamp fits.' },
      ),
    grade: (outcome) =>
      expectAll(readOffice(fileOf(outcome, 'lamps.xlsx'), /worksheets\/sheet|sharedStrings/), ['heliotrope', '49', 'http://']),
  },
  {
    recipe: 'Summarize a document',
    about: 'a Word file is read to its end',
    values: { document: 'lease.docx', length: 'five sentences' },
    files: toRead,
    replies: () => [use('read_file', { path: lease }), { text: 'Clause 1: 900 euros. Clause 2: three months.' }],
    grade(outcome) {
      expectSeen(outcome, clauses);
      assert.match(outcome.answer, /Clause 2/);
    },
  },
  {
    recipe: 'Analyze a table',
    about: 'code computes, and a chart and the cleaned table are delivered',
    values: { table: 'sales.csv', question: 'How many rows has the North?' },
    files: { 'sales.csv': salesCsv },
    needs: ['sandbox'],
    replies: () => [
      use('run_code', {
        language: 'python',
        code: "rows = [r for r in open('attachments/sales.csv') if r.strip()]\nopen('clean.csv', 'w').writelines(rows)\nprint('rows of the North:', sum('North' in r for r in rows))",
      }),
      use('make_chart', {
        ...{
          path: 'chart.png',
          type: 'line',
          file: 'clean.csv',
          x: 'Month',
          y: ['Revenue'],
          group_by: 'Region',
          aggregate: 'sum',
        },
      }),
      deliver('chart.png', 'clean.csv'),
      { text: 'Three.' },
    ],
    grade(outcome) {
      assert.match(outcome.requests.at(-1)?.text ?? '', /rows of the North: [1-9]/);
      assert.equal(fileOf(outcome, 'chart.png').subarray(1, 4).toString(), 'PNG');
      expectAll(fileOf(outcome, 'clean.csv').toString(), ['Month', 'North']);
    },
  },
  {
    recipe: 'Make a presentation',
    about: 'slides with notes of the speaker are delivered as PowerPoint',
    values: { topic: 'lamps', audience: 'shops', notes: 'They take 7 watts.' },
    replies: () => [
      use('make_slides', {
        path: 'deck',
        title: 'Lamps',
        slides: [
          { layout: 'title', title: 'Lamps that last' },
          { layout: 'bullets', title: 'Why', bullets: ['They take 7 watts'], notes: 'Pause after the number.' },
        ],
      }),
      deliver('deck.pptx'),
      { text: 'Two slides.' },
    ],
    grade(outcome) {
      const deck = fileOf(outcome, 'deck.pptx');
      expectAll(readOffice(deck, /ppt\/slides\/slide\d+\.xml$/), ['Lamps that last', 'They take 7 watts']);
      expectAll(readOffice(deck, /ppt\/notesSlides\/notesSlide\d+\.xml$/), ['Pause after the number.']);
    },
  },
  {
    recipe: 'Prepare a meeting',
    about: 'what is known publicly comes into a document with an agenda',
    values: { participants: 'Heliotrope Ltd', purpose: 'prices', day: '2027-01-31' },
    replies: (url) =>
      lookUp(
        url,
        use('make_document', { files: ['agenda.docx'], markdown: `# Agenda\n\n1. Prices, 20 minutes ([source](${url}))` }),
        deliver('agenda.docx'),
        { text: 'The agenda is ready.' },
      ),
    grade: (outcome) => expectAll(wordsOf(outcome, 'agenda.docx'), ['Agenda', 'Prices, 20 minutes']),
  },
  {
    recipe: 'Translate a document',
    about: 'a Word file keeps its structure, and has other words',
    values: { document: 'lease.docx', language: 'German' },
    files: toRead,
    replies: () => [
      use('read_file', { path: lease }),
      use('edit_office', {
        ...{ path: lease, output: 'mietvertrag.docx' },
        edits: [
          { do: 'replace', find: 'The tenant pays 900 euros a month.', with: 'Der Mieter zahlt 900 Euro im Monat.' },
          { do: 'replace', find: 'Either side ends it with notice of three months.', with: 'Die Frist beträgt drei Monate.' },
        ],
      }),
      deliver('mietvertrag.docx'),
      { text: 'Notice: Frist.' },
    ],
    grade(outcome) {
      const words = wordsOf(outcome, 'mietvertrag.docx');
      expectAll(words, ['1. Der Mieter zahlt 900 Euro im Monat.', '2. Die Frist beträgt drei Monate.']);
      assert.doesNotMatch(words, /tenant/);
    },
  },
  {
    recipe: 'Review a contract',
    about: 'a contract is read, and the document about it begins with what it is not',
    values: { contract: 'lease.docx', role: 'the tenant' },
    files: toRead,
    replies: () => [
      use('read_file', { path: lease }),
      use('make_document', {
        files: ['review.docx'],
        markdown: 'This is no legal advice.\n\n| Clause | What |\n|---|---|\n| 2 | Three months |',
      }),
      deliver('review.docx'),
      { text: 'The rent, the notice, and no cap.' },
    ],
    grade(outcome) {
      expectSeen(outcome, clauses);
      assert.match(wordsOf(outcome, 'review.docx').trim(), /^This is no legal advice\..*Three months/s);
    },
  },
  {
    recipe: 'Publish a small website',
    about: 'a site is made, which nobody but its user sees',
    values: { subject: 'lamps', content: 'Lamps for sale', style: 'plain' },
    replies: () => [
      use('write_file', { path: 'site/index.html', content: site }),
      use('publish_website', { folder: 'site', title: 'Lamps' }),
      ({ text }) => ({ text: /https?:\/\/[^\s"',)]+/.exec(text.slice(-1500))?.[0] ?? 'nowhere' }),
    ],
    async grade({ answer, taskId }, { client }) {
      assert.equal((await fetch(answer)).status, 404, 'everybody sees it');
      assert.equal((await client.ask('website.status', { task_id: taskId })).publish_status, 'unpublished');
    },
  },
  {
    recipe: 'Watch the news',
    about: 'news is searched for, read, and told with its address',
    values: { topic: 'lamps' },
    replies: (url) => lookUp(url, { text: `A lamp takes 7 watts (${url}).` }),
    grade(outcome) {
      expectSeen(outcome, [fact]);
      assert.match(outcome.answer, /7 watts \(http:/);
    },
  },
];

/** The names of the recipes that the jobs try. */
export const triedRecipes: readonly string[] = recipeRows.map(({ recipe }) => recipe);

export const recipeJobs = recipeRows.map(
  ({ recipe, about, values, files, needs = [], replies, grade }): PlayedJob => ({
    ...{ kind: 'played', name: recipe, about, wire: 'compatible', needs, isHeavy: false },
    async play(stage) {
      await using pages = await Pages.start((path) => (path === '/lamps' ? lamps : undefined));
      const url = `${pages.url}/lamps`;
      stage.script([{ match: () => true, replies: replies(url) }]);
      stage.search.results = [{ title: 'Lamps', url, content: 'Everything about lamps.' }];
      await grade(await stage.runRecipe(recipe, values, files), stage);
    },
  }),
);
