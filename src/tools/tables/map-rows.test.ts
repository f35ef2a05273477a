import { describe, expect, it } from 'vitest';
import { writeXlsx } from 'hucre/xlsx';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { createGenerators } from '@errand/documents';
import type { Workspace } from '@errand/sandbox/workspace';
import type { RowResult, RowWork } from '../../rules/rows/row-work.ts';
import { createDocumentReader } from '../files/readers/document-reader.ts';
import { createToolbox } from '../toolbox/toolbox.ts';
import { createMapRows } from './map-rows.ts';

let workspace: Workspace;
useWorkspace('map-rows', (given) => (workspace = given));

const tool = createMapRows({ generators: createGenerators(systemClock), documents: createDocumentReader(systemClock) });
const toolbox = createToolbox([tool], silentLog);
const schema = { type: 'object', properties: { size: { type: 'string' } } };

/** Runs a call; each row is answered by `answerRow`. */
async function map(input: Record<string, unknown>, answerRow = (): RowResult => ({ state: 'done', value: { size: 'big' } })) {
  const works: RowWork[] = [];
  const mapRows = (work: RowWork) => {
    works.push(work);
    return Promise.resolve(work.rows.map(() => answerRow()));
  };
  const given = { instruction: 'Judge it.', schema, output: 'out.csv', ...input };
  const outcome = await toolbox.runCall({ tool: 'map_rows', input: given }, toolContext(workspace, { mapRows }));
  return { ...outcome, works, rows: works[0]?.rows ?? [] };
}

const readOut = async (path = 'out.csv') => (await workspace.read(path)).toString().replace('\ufeff', '');

describe('map_rows', () => {
  it('adds the answers to the columns of a file, in its order, and returns a summary', async () => {
    await workspace.write('cities.csv', 'city,people\nRome,3\n"Bonn, Rhein",1\n');
    const { status, output, rows } = await map({ file: 'cities.csv' });
    expect(rows).toEqual(['{"city": "Rome", "people": "3"}', '{"city": "Bonn, Rhein", "people": "1"}']);
    expect(await readOut()).toBe('city,people,size\r\nRome,3,big\r\n"Bonn, Rhein",1,big\r\n');
    expect([status, output.split('\n')[0]]).toEqual(['success', '2 of 2 rows are answered. The table is out.csv.']);
  });

  it('tells the model the limits of a schema in words, where nobody checks them', async () => {
    await workspace.write('cities.csv', 'city\nRome\n');
    const rank = { type: 'integer', description: 'Of beauty', minimum: 1, maximum: 5 };
    const parts = { type: 'array', items: { type: 'string', pattern: '^a' }, maxItems: 2 };
    const limited = { type: 'object', properties: { rank, parts, minimum: { type: 'string', const: 'x' } } };
    const { works, output } = await map({ file: 'cities.csv', schema: limited });
    expect(works[0]?.schema['properties'], output).toEqual({
      rank: { type: 'integer', description: 'Of beauty (minimum 1, maximum 5)' },
      parts: { type: 'array', items: { type: 'string', description: '(pattern "^a")' }, description: '(maxItems 2)' },
      minimum: { type: 'string', enum: ['x'] },
    });
  });

  it('takes rows of the call, JSON, lines of JSON, and a sheet of a workbook, and writes JSON', async () => {
    const objects = [{ city: 'Rome', tags: ['old'] }, { city: 'Oslo' }];
    const sheets = [
      { name: 'Notes', rows: [['x']] },
      {
        name: 'Cities',
        rows: [
          ['city', 'people'],
          ['Rome', 3],
          ['Bonn, "Rhein"\nx', null],
        ],
      },
    ];
    await workspace.write('a.json', JSON.stringify(objects));
    await workspace.write('a.jsonl', objects.map((object) => JSON.stringify(object)).join('\n'));
    await workspace.write('a.xlsx', await writeXlsx({ sheets }));
    for (const source of [{ rows: objects }, { file: 'a.json' }, { file: 'a.jsonl' }]) {
      const { rows } = await map({ ...source, output: 'out.json' });
      expect(rows).toEqual(['{"city": "Rome", "tags": ["old"]}', '{"city": "Oslo", "tags": null}']);
      expect(JSON.parse(await readOut('out.json'))).toEqual([
        { city: 'Rome', tags: ['old'], size: 'big' },
        { city: 'Oslo', tags: null, size: 'big' },
      ]);
    }
    const { rows } = await map({ file: 'a.xlsx', sheet: 'Cities', output: 'out.jsonl' });
    expect(rows).toEqual(['{"city": "Rome", "people": "3"}', '{"city": "Bonn, \\"Rhein\\"\\nx", "people": ""}']);
    expect((await readOut('out.jsonl')).split('\n')).toHaveLength(3);
    expect(await map({ file: 'a.xlsx', sheet: 'Streets' })).toMatchObject({
      status: 'error',
      output: 'sheet: there is no sheet "Streets". The sheets are "Notes", "Cities".',
    });
  });

  it('shows the model only the columns that it is to see, and at first only some rows', async () => {
    await workspace.write('a.csv', 'name,city\nAda,Rome\nBob,Oslo\n');
    const { rows, works, output } = await map({ file: 'a.csv', columns: ['city'], limit: 1 });
    expect(output).toContain('1 of 1 rows, the first of 2, are answered.');
    expect(rows).toEqual(['{"city": "Rome"}']);
    expect(await readOut()).toBe('name,city,size\r\nAda,Rome,big\r\n');
    // What is answered then is not asked again for the whole table.
    expect((await map({ file: 'a.csv', columns: ['city'] })).works[0]?.job).toBe(works[0]?.job);
    expect((await map({ file: 'a.csv' })).works[0]?.job).not.toBe(works[0]?.job);
    expect((await map({ file: 'a.csv', columns: ['city'], instruction: 'Else.' })).works[0]?.job).not.toBe(works[0]?.job);
  });

  it('names the rows that failed, in the summary and in a column', async () => {
    await workspace.write('a.csv', 'city\nRome\nOslo\n');
    let count = 0;
    const { status, output } = await map({ file: 'a.csv' }, () => {
      count += 1;
      return count === 1 ? { state: 'failed', reason: 'too far' } : { state: 'done', value: { size: 'small' } };
    });
    expect(await readOut()).toBe('city,size,map_error\r\nRome,,too far\r\nOslo,small,\r\n');
    expect(status).toBe('success');
    expect(output).toContain('1 of 2 rows are answered, 1 failed.');
    expect(output).toContain('- row 1: too far\nThe same call again asks only about these.');
    expect(await map({ file: 'a.csv' }, () => ({ state: 'failed', reason: 'no' }))).toMatchObject({ status: 'error' });
  });

  it('keeps its summary short, however long the table is', async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({ text: `${at} ${'x'.repeat(1000)}` }));
    const { output } = await map({ rows }, () => ({ state: 'failed', reason: 'y'.repeat(2000) }));
    expect(output.length).toBeLessThan(10_000);
    expect(output).toContain('- and 980 more: see the column map_error');
  });

  it('fills in of a schema what models forget, and says what else is wrong with it', async () => {
    const rows = [{ city: 'Rome' }];
    expect((await map({ rows })).works[0]?.schema).toEqual({ ...schema, required: ['size'], additionalProperties: false });
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ properties: { city: { type: 'string' } } }, /^schema: there is a column "city" already/],
      [{ properties: { map_error: { type: 'string' } } }, /^schema: there is a column "map_error" already/],
      [{ properties: {} }, /^schema: it needs properties/],
      [{ type: 'string' }, /^schema: must be of type "object"/],
      [{ properties: { size: { type: 'string', if: true } } }, /^schema: .size: unsupported keyword "if"/],
    ];
    for (const [given, problem] of wrong) {
      const { status, output } = await map({ rows, schema: given });
      expect([status, output], JSON.stringify(given)).toEqual(['error', expect.stringMatching(problem)]);
    }
  });

  it('refuses what it cannot read or write before any model is called', async () => {
    await workspace.write('many.csv', `a\n${'x\n'.repeat(1001)}`);
    await workspace.write('huge.csv', `a\n${`${'x'.repeat(99)}\n`.repeat(100_000)}`);
    await workspace.write('twice.csv', 'a,a\n1,2\n');
    const refusals: [Record<string, unknown>, RegExp][] = [
      [{}, /^file: name a file, or list the rows/],
      [{ file: 'many.csv', rows: [{ a: 1 }] }, /^file: name a file, or list the rows/],
      [{ file: 'many.csv' }, /has 1001 rows, and at most 1000 can be mapped at a time/],
      [{ file: 'huge.csv' }, /larger|too large|more than/],
      [{ file: 'twice.csv' }, /two columns named "a"/],
      [{ file: 'none.csv' }, /none\.csv/],
      [{ file: '../../other/task/a.csv' }, /path/],
      [{ file: 'a.pdf' }, /must end in/],
      [{ file: 'x.csv', output: './x.csv' }, /^output: name another file/],
      [{ rows: [Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`c${at}`, 1]))] }, /^rows: they have more than 200/],
      [{ rows: [{ a: 1 }], output: 'out.pdf' }, /^output: .* must end in/],
      [{ rows: [{ a: 1 }], columns: ['b'] }, /^columns\.0: there is no column "b"/],
    ];
    for (const [input, problem] of refusals) {
      const { status, output, works } = await map(input);
      expect([status, output, works.length], JSON.stringify(input)).toEqual(['error', expect.stringMatching(problem), 0]);
    }
  });
});
