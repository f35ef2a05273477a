import { describe, expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import type { Workspace } from '@errand/sandbox/workspace';
import { linesOf, packOffice, paragraph, run, wordFile } from '../../../test/support/files/office-samples.ts';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { createEditOffice } from './edit-office.ts';

const tool = createEditOffice(createGenerators(systemClock));
let workspace: Workspace;
useWorkspace('edit-office', (made) => (workspace = made));

async function edit(path: string, edits: unknown[], more: Record<string, unknown> = {}) {
  return await tool.run(tool.input.parse({ path, edits, ...more }), toolContext(workspace));
}

const replace = { do: 'replace', find: 'old', with: 'new' };

describe('edit_office', () => {
  it('writes the edited file beside the original, which stays', async () => {
    const file = wordFile(paragraph(run('old text')));
    await workspace.write('in/contract.docx', file);
    const { output } = await edit('in/contract.docx', [replace]);
    const made = await workspace.read('in/contract-edited.docx');
    expect(linesOf(made)).toEqual(['new text']);
    expect(output).toBe(
      `Made in/contract-edited.docx (${made.length} bytes).\n1. replace: replaced "old" in one place.\nChanged parts: word/document.xml. The other 6 are as they were, byte for byte.`,
    );
    expect((await workspace.read('in/contract.docx')).equals(Buffer.from(file))).toBe(true);
    await edit('in/contract-edited.docx', [{ ...replace, find: 'new', with: 'newer' }]);
    expect(linesOf(await workspace.read('in/contract-edited-2.docx'))).toEqual(['newer text']);
  });

  it('gives the same file if it is run again, as after a crash', async () => {
    await workspace.write('a.docx', wordFile(paragraph(run('old text'))));
    const edits = [replace, { do: 'comment', find: 'text', text: 'why' }, { do: 'insert', paragraphs: ['b'], after: 'text' }];
    await edit('a.docx', edits, { track: true });
    const first = await workspace.read('a-edited.docx');
    await edit('a.docx', edits, { track: true });
    expect((await workspace.read('a-edited.docx')).equals(first)).toBe(true);
  });

  it('keeps an earlier result, beside which a second one of other edits goes', async () => {
    await workspace.write('a.docx', wordFile(paragraph(run('old text'))));
    await edit('a.docx', [replace]);
    const { output } = await edit('a.docx', [{ ...replace, find: 'text', with: 'word' }]);
    expect(output).toContain('Made a-edited-2.docx');
    expect(linesOf(await workspace.read('a-edited.docx'))).toEqual(['new text']);
    expect(linesOf(await workspace.read('a-edited-2.docx'))).toEqual(['old word']);
    await edit('a.docx', [{ ...replace, find: 'text', with: 'sentence' }], { output: 'a-edited.docx' });
    expect(linesOf(await workspace.read('a-edited.docx'))).toEqual(['old sentence']);
  });

  it('writes beside the original also if told to write over it', async () => {
    await workspace.write('a.docx', wordFile(paragraph(run('old text'))));
    const { output } = await edit('a.docx', [replace], { output: './a.docx' });
    expect(output).toMatch(/^Made a-edited\.docx [^]*\na\.docx stays as it is\.$/);
    expect(linesOf(await workspace.read('a.docx'))).toEqual(['old text']);
    expect(linesOf(await workspace.read('a-edited.docx'))).toEqual(['new text']);
  });

  it('writes nothing if one edit is impossible, and names it', async () => {
    await workspace.write('a.docx', wordFile(paragraph(run('old text'))));
    await workspace.write('locked.docx', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'));
    await workspace.write('text.docx', 'no package');
    await workspace.write('zip.docx', packOffice({ 'a.txt': 'b' }));
    const wrong: [() => Promise<unknown>, string][] = [
      [() => edit('a.docx', [replace, replace]), 'edits.1 (replace): find: "old" is not in the document'],
      [() => edit('a.docx', [{ ...replace, find: 'text', with: 'text' }]), 'nothing to change'],
      [() => edit('a.docx', [{ do: 'picture', image: '../x.png', at: 'old' }]), 'leads out of the workspace'],
      [() => edit('a.docx', [{ do: 'picture', image: 'text.docx', at: 'old' }]), 'is no picture that can be read'],
      [() => edit('a.docx', [replace], { output: 'b.pdf' }), 'output: must end in .docx'],
      [() => edit('a.txt', [replace]), 'must end in .docx'],
      [() => edit('locked.docx', [replace]), 'protected by a password, or in the format of before 2007'],
      [() => edit('text.docx', [replace]), 'is damaged or not of the type its name says'],
      [() => edit('zip.docx', [replace]), 'is no Word, Excel, or PowerPoint file'],
    ];
    for (const [attempt, problem] of wrong) await expect(attempt(), problem).rejects.toThrow(problem);
    expect((await workspace.list('.', 20)).map(({ path }) => path)).toEqual(['a.docx', 'locked.docx', 'text.docx', 'zip.docx']);
  });

  it('says that a signature does not hold any more', async () => {
    await workspace.write('a.docx', wordFile(paragraph(run('old')), { '_xmlsignatures/sig1.xml': '<s/>' }));
    expect((await edit('a.docx', [replace])).output).toContain('its signature does not hold');
  });
});
