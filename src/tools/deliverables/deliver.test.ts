import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { usualStorageLimits } from '../../rules/files/storage-quota.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import type { Press, PressRequest } from '@errand/sandbox/press';
import { type Workspace } from '@errand/sandbox/workspace';
import { createBlobs } from '../../store/blobs/blobs.ts';
import { createRender } from '../pages/render.ts';
import { createDeliver } from './deliver.ts';
import type { ToolContext } from '../toolbox/tool.ts';

const accountId = newId(1);
let workspace: Workspace;

useWorkspace('deliver', (opened) => {
  workspace = opened;
});

function open(press: Press | null = null, limit = usualStorageLimits.task) {
  const clock = new TestClock();
  const blobs = createBlobs({ database: new MemoryDatabase(clock), blobStore: new MemoryBlobStore(), clock });
  const tool = createDeliver({ blobs, limit }, press);
  const read = async ({ blobId }: StoredFile) => (await (await blobs.open(accountId, blobId)).toArray()).join('');
  const run = (files: readonly { path: string; name?: string }[], changes: Partial<ToolContext> = {}) =>
    tool.run(tool.input.parse({ files }), toolContext(workspace, { accountId, now: () => clock.now(), ...changes }));
  return { run, read };
}

describe('deliver', () => {
  it('keeps the results of a task within its storage, those of one call together, and names the remedy', async () => {
    const { run } = open(null, { bytes: 10, files: 3 });
    const stored = { bytes: 4, files: 1 };
    await workspace.write('three', 'abc');
    await workspace.write('four', 'abcd');
    const refused = {
      code: 'resource_exhausted',
      message: expect.stringContaining('more than 0 MB or 3 files. Earlier versions count too: give fewer') as string,
    };
    await expect(run([{ path: 'three' }, { path: 'four' }], { stored })).rejects.toMatchObject(refused);
    await expect(run([{ path: 'three' }], { stored: { bytes: 0, files: 3 } })).rejects.toMatchObject(refused);
    expect((await run([{ path: 'three' }, { path: 'three' }], { stored })).status).toBe('success');
  });

  it('says what readers of a page or a PDF will stumble over, and delivers it all the same', async () => {
    const requests: PressRequest[] = [];
    const finding = { kind: 'cut' as const, page: 2, element: 'h1', words: 'Title', text: 'is cut off' };
    const run = (request: PressRequest) => {
      requests.push(request);
      const findings = requests.length === 1 ? [finding] : [];
      return requests.length < 3
        ? Promise.resolve({ problem: null, pageCount: 1, pictures: [], findings })
        : Promise.reject(new Fault('unavailable', 'crashed'));
    };
    for (const path of ['a.html', 'b.pdf', 'c.html', 'd.txt']) await workspace.write(path, 'x');
    const { run: deliver } = open({ run });
    const { status, output } = await deliver(['a.html', 'b.pdf', 'd.txt'].map((path) => ({ path })));
    expect(status).toBe('success');
    expect(output).toContain(
      '- d.txt, 1 bytes\nIn a.html readers will stumble over:\n- page 2: h1 "Title" is cut off\nMend what matters and deliver again.',
    );
    expect(requests).toMatchObject([
      { page: { path: 'a.html' }, view: 'screen' },
      { page: { path: 'b.pdf' }, view: 'paper' },
    ]);
    expect((await deliver([{ path: 'c.html' }])).output).toBe('Delivered:\n- c.html, 1 bytes');
  });

  it('names what the render that made a PDF found in its page, until the file is another one', async () => {
    const cut = { kind: 'cut' as const, page: 1, element: 'p.foot', words: 'Free entry', text: 'is cut off below by 139 px' };
    const empty = { kind: 'empty' as const, page: 2, element: '', words: '', text: 'only its upper 20 % is used' };
    const press: Press = {
      async run({ pdf }) {
        if (pdf !== null) await workspace.write(pdf, 'PDF');
        return { problem: null, pageCount: 2, pictures: [], findings: pdf !== null ? [cut, empty] : [empty] };
      },
    };
    await workspace.write('poster.html', 'x');
    const render = createRender(press);
    await render.run(render.input.parse({ path: 'poster.html', as: 'pdf' }), toolContext(workspace, { accountId }));
    const { run } = open(press);
    const twice = '- page 2: only its upper 20 % is used';
    const first = await run([{ path: 'poster.pdf' }]);
    expect(first.output).toContain(
      `In poster.pdf readers will stumble over:\n- page 1: p.foot "Free entry" is cut off below by 139 px\n${twice}\nMend`,
    );
    await workspace.write('poster.pdf', 'another');
    expect((await run([{ path: 'poster.pdf' }])).output).toContain(`stumble over:\n${twice}\nMend`);
    await workspace.write('.render/poster-pdf.findings.json', '{"lines": 1');
    expect((await run([{ path: 'poster.pdf' }])).status).toBe('success');
  });

  it('looks at the first three pages and PDFs, whatever is delivered before them', async () => {
    const looked: unknown[] = [];
    const run = ({ page }: PressRequest) => {
      looked.push(page);
      return Promise.resolve({ problem: null, pageCount: 1, pictures: [], findings: [] });
    };
    const paths = ['1.txt', '2.csv', '3.zip', 'a.htm', 'b.PDF', 'c.html', 'd.html'];
    for (const path of paths) await workspace.write(path, 'x');
    await open({ run }).run(paths.map((path) => ({ path })));
    expect(looked).toEqual(['a.htm', 'b.PDF', 'c.html'].map((path) => expect.objectContaining({ path }) as unknown));
  });

  it('stores the current content of files, under their display names', async () => {
    const { run, read } = open();
    await workspace.write('out/a.csv', 'a\n1');
    await workspace.write('p.png', 'picture');
    const { status, output, delivered = [] } = await run([{ path: './out/a.csv', name: ' The\n table ' }, { path: 'p.png' }]);
    await workspace.write('out/a.csv', 'two');
    expect({ status, output }).toEqual({
      status: 'success',
      output: 'Delivered:\n- The table (a.csv), 3 bytes\n- p.png, 7 bytes',
    });
    expect(delivered).toMatchObject([
      {
        path: 'out/a.csv',
        displayName: 'The table',
        attachment: { kind: 'file', filename: 'a.csv', contentType: 'text/csv', bytes: 3 },
      },
      { path: 'p.png', displayName: 'p.png', attachment: { kind: 'image', contentType: 'image/png' } },
    ]);
    expect(await Promise.all(delivered.map(({ attachment }) => read(attachment)))).toEqual(['a\n1', 'picture']);
  });

  it('replaces what was delivered before under the same name, and says so', async () => {
    const { run } = open();
    for (const path of ['old.xlsx', 'new.xlsx', 'newer.xlsx', 'new.pdf']) await workspace.write(path, 'x');
    const artifacts = [{ artifactId: newId(2), path: 'old.xlsx', displayName: 'Sales.xlsx' }];
    const deliver = async (files: readonly { path: string; name?: string }[]) => {
      const { output, delivered = [] } = await run(files, { artifacts });
      return { output, isReplaced: delivered.map(({ artifactId }) => artifactId === artifacts[0]?.artifactId) };
    };
    expect(await deliver([{ path: 'new.xlsx', name: 'Sales.xlsx' }])).toEqual({
      output: 'Delivered:\n- Sales.xlsx, 1 bytes, which replaces the one delivered from old.xlsx',
      isReplaced: [true],
    });
    await workspace.write('third.xlsx', 'x');
    const both = ['new.xlsx', 'third.xlsx'].map((path) => ({ path, name: 'Sales.xlsx' }));
    const { delivered = [] } = await run(both, { artifacts });
    // The library finds the artifact by its first path; a second file of that name in one call is another result.
    expect(delivered.map(({ path }) => path)).toEqual(['old.xlsx', 'third.xlsx']);
    // Not a file of another kind, nor one that nobody named so.
    const others = [{ path: 'new.pdf', name: 'Sales.xlsx' }, { path: 'new.xlsx', name: 'Costs.xlsx' }, { path: 'new.xlsx' }];
    for (const file of others) expect((await deliver([file])).isReplaced).toEqual([false]);
    // Files of one call that have the same name are different results.
    const two = ['new.xlsx', 'newer.xlsx'].map((path) => ({ path, name: 'Sales.xlsx' }));
    expect((await deliver(two)).isReplaced).toEqual([true, false]);
    // So are those of several calls of one reply; from its path, a result is continued in any step.
    const ofStep = [{ artifactId: newId(2), path: 'old.xlsx', displayName: 'Sales.xlsx', step: 1 }];
    for (const [path, isKnown] of [
      ['new.xlsx', false],
      ['old.xlsx', true],
    ] as const) {
      const { delivered: [file] = [] } = await run([{ path, name: 'Sales.xlsx' }], { artifacts: ofStep });
      expect(file?.artifactId === ofStep[0]?.artifactId).toBe(isKnown);
    }
  });

  it('says what is wrong with a csv file, in words, because nobody sees it', async () => {
    const { run } = open();
    await workspace.write('t.csv', 'city,people\nRome,3\n\nOslo\n');
    expect((await run([{ path: 't.csv' }])).output).toBe(
      [
        ...['Delivered:', '- t.csv, 25 bytes', 'In t.csv (2 rows of 2 columns):', '- empty rows: line 3'],
        ...['- rows that have not 2 cells, as the header: line 4', 'Mend what matters and deliver again.'],
      ].join('\n'),
    );
  });

  it('makes a newer version of what was delivered from the same path, in an earlier call or in this one', async () => {
    const { run } = open();
    await workspace.write('a', 'x');
    const [first] = (await run([{ path: 'a' }])).delivered ?? [];
    const artifacts = [{ artifactId: first?.artifactId ?? '', path: 'a', displayName: 'a' }];
    const { delivered = [] } = await run([{ path: 'a' }, { path: '/workspace/a' }], { artifacts });
    expect(delivered.map(({ artifactId }) => artifactId)).toEqual([first?.artifactId, first?.artifactId]);
    const twice = (await run([{ path: 'a' }, { path: 'a', name: 'again' }])).delivered ?? [];
    expect(new Set(twice.map(({ artifactId }) => artifactId)).size).toBe(1);
  });

  it.each([
    ['out/index.pdf', 'Board report.pdf', 'Board report.pdf'],
    ['out/index.pdf', 'REPORT.PDF', 'REPORT.PDF'],
    ['out/index.pdf', '年度报告.pdf', '年度报告.pdf'],
    ['out/index.pdf', 'Board report', 'index.pdf'],
    ['out/index.pdf', 'Board report.docx', 'index.pdf'],
    ['out/index.pdf', 'a/b.pdf', 'index.pdf'],
    ['out/index.pdf', 'a: "b".pdf', 'index.pdf'],
    ['out/index.pdf', '.hidden.pdf', 'index.pdf'],
    ['out/index.pdf', '.pdf', 'index.pdf'],
    ['out/index.pdf', 'fdp.\u202etxt.pdf', 'index.pdf'],
    ['out/index.pdf', `${'年'.repeat(90)}.pdf`, 'index.pdf'],
    ['out/Makefile', 'Build', 'Makefile'],
  ])('names the file of %s called %s for its download: %s', async (path, name, filename) => {
    const { run } = open();
    await workspace.write(path, 'x');
    expect((await run([{ path, name }])).delivered).toMatchObject([{ path, displayName: name, attachment: { filename } }]);
  });

  it('knows a result by the path of its newest version, too, and by its name', async () => {
    const { run } = open();
    for (const path of ['old.xlsx', 'new.xlsx', 'other.xlsx']) await workspace.write(path, 'x');
    const artifacts = [{ artifactId: newId(2), path: 'old.xlsx', from: 'new.xlsx', displayName: 'Sales.xlsx' }];
    const { output, delivered = [] } = await run([{ path: 'new.xlsx' }], { artifacts });
    expect(output).toBe('Delivered:\n- Sales.xlsx, 1 bytes');
    expect(delivered).toMatchObject([{ ...artifacts[0], attachment: { filename: 'Sales.xlsx' } }]);
    const back = await run([{ path: 'old.xlsx' }], { artifacts });
    expect(back.output).toContain(', which replaces the one delivered from new.xlsx');
    expect(back.delivered?.[0]).not.toHaveProperty('from');
    await expect(run([{ path: 'new.xlsx' }, { path: 'old.xlsx', name: 'Old.xlsx' }], { artifacts })).rejects.toThrow(
      'new.xlsx and old.xlsx are versions of one result',
    );
  });

  it('takes a file that is named twice in a call for one result, also if it replaces another', async () => {
    const { run } = open();
    await workspace.write('new.xlsx', 'x');
    const artifacts = [{ artifactId: newId(2), path: 'old.xlsx', displayName: 'Sales.xlsx' }];
    const { delivered = [] } = await run([{ path: 'new.xlsx', name: 'Sales.xlsx' }, { path: 'new.xlsx' }], { artifacts });
    expect(delivered.map(({ artifactId, path, from }) => ({ artifactId, path, from }))).toEqual(
      [1, 2].map(() => ({ artifactId: artifacts[0]?.artifactId, path: 'old.xlsx', from: 'new.xlsx' })),
    );
  });

  it('lets no file take by its name the result whose own path is in the same call', async () => {
    const { run } = open();
    for (const path of ['old.xlsx', 'new.xlsx']) await workspace.write(path, 'x');
    const artifacts = [{ artifactId: newId(2), path: 'old.xlsx', displayName: 'Sales.xlsx' }];
    const files = [
      { path: 'new.xlsx', name: 'Sales.xlsx' },
      { path: 'old.xlsx', name: 'Archive.xlsx' },
    ];
    for (const order of [files, files.toReversed()]) {
      const { delivered = [] } = await run(order, { artifacts });
      const continued = delivered.filter(({ artifactId }) => artifactId === artifacts[0]?.artifactId);
      expect(continued.map(({ path }) => path)).toEqual(['old.xlsx']);
      expect(delivered.map(({ path }) => path).toSorted()).toEqual(['new.xlsx', 'old.xlsx']);
    }
  });

  it('delivers both forms of a deck, whichever is named', async () => {
    const { run, read } = open();
    const forms = { html: 'd/deck.html', pptx: 'd/deck.pptx' };
    for (const path of Object.values(forms)) await workspace.write(path, path);
    const made = [{ kind: 'slides' as const, path: forms.html, forms }];
    for (const form of ['html', 'pptx'] as const) {
      const [deck] = (await run([{ path: forms[form] }], { made })).delivered ?? [];
      expect(deck).toMatchObject({ path: forms.html, attachment: { kind: 'slides', filename: `deck.${form}` } });
      const [named] = (await run([{ path: forms[form], name: `Pitch.${form}` }], { made })).delivered ?? [];
      expect(named?.attachment).toMatchObject({
        filename: `Pitch.${form}`,
        forms: { html: { filename: 'Pitch.html' }, pptx: { filename: 'Pitch.pptx' } },
      });
      const stored = deck?.attachment.forms;
      expect(stored && [await read(stored.html), await read(stored.pptx)]).toEqual([forms.html, forms.pptx]);
    }
  });

  it('delivers nothing if one file cannot be delivered', async () => {
    const { run } = open();
    await workspace.write('a', 'x');
    await expect(run([{ path: 'a' }, { path: 'gone' }])).rejects.toThrow('"gone" does not exist');
    await expect(run([{ path: '../a' }])).rejects.toThrow('leads out of the workspace');
    await expect(run([{ path: '.' }])).rejects.toThrow('is not a file');
  });
});
