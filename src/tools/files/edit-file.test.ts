import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { type Workspace } from '@errand/sandbox/workspace';
import { applyEdit, editFile } from './edit-file.ts';

let workspace: Workspace;

useWorkspace('edit', (opened) => {
  workspace = opened;
});

const context = () => toolContext(workspace);

async function edit(content: string | Uint8Array, old_string: string, new_string: string, replace_all = false) {
  await workspace.write('f', content);
  const outcome = await editFile.run({ path: 'f', old_string, new_string, replace_all }, context());
  return { ...outcome, text: (await workspace.read('f')).toString() };
}

const letters = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '$', '&', '\n'), minLength, maxLength });

function placesOf(text: string, part: string): number[] {
  return Array.from(text, (_, place) => place).filter((place) => text.startsWith(part, place));
}

describe('applying an edit', () => {
  it('changes the only occurrence and nothing else, whatever characters the texts have', () => {
    fc.assert(
      fc.property(letters(30), letters(8, 1), letters(8), letters(30), (before, oldText, newText, after) => {
        const text = before + oldText + after;
        const result = applyEdit(text, { oldText, newText, replaceAll: false });
        const places = placesOf(text, oldText);
        if ('text' in result) {
          expect(places).toEqual([before.length]);
          expect(result.text).toBe(before + newText + after);
        } else if (places.length === 1 && oldText !== newText) {
          expect(result).toHaveProperty('nothingToDo');
          expect(text).toContain(newText);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('replaces all occurrences on request, like splitting and joining', () => {
    fc.assert(
      fc.property(letters(60), letters(4, 1), letters(4), (text, oldText, newText) => {
        const result = applyEdit(text, { oldText, newText, replaceAll: true });
        if ('text' in result) expect(result.text).toBe(text.split(oldText).join(newText));
        else if (text.includes(oldText) && oldText !== newText) expect(result).toHaveProperty('nothingToDo');
      }),
      { numRuns: 3000 },
    );
  });

  it('has no further effect when it is rerun after a crash', () => {
    fc.assert(
      fc.property(letters(30), letters(6, 1), letters(5), letters(5), (text, oldText, before, after) => {
        const wider = { oldText, newText: before + oldText + after, replaceAll: false };
        const first = applyEdit(text, wider);
        if ('text' in first) expect(applyEdit(first.text, wider)).not.toHaveProperty('text');
      }),
      { numRuns: 3000 },
    );
    const grow = { oldText: 'import a', newText: 'import a\nimport b', replaceAll: false };
    expect(applyEdit('import a\n', grow)).toMatchObject({ text: 'import a\nimport b\n' });
    expect(applyEdit('import a\nimport b\n', grow)).toHaveProperty('nothingToDo');
    expect(applyEdit('x a\nx a\n', { oldText: 'a', newText: 'aa', replaceAll: true })).toMatchObject({ text: 'x aa\nx aa\n' });
    expect(applyEdit('x aa\nx aa\n', { oldText: 'a', newText: 'aa', replaceAll: true })).toHaveProperty('nothingToDo');
  });

  it('rejects a result that would exhaust the memory', () => {
    const flood = { oldText: 'a', newText: 'b'.repeat(50_000), replaceAll: true };
    expect(applyEdit('a'.repeat(2_000_000), flood)).toEqual({ problem: expect.stringContaining('too large') as string });
  });
});

describe('edit_file', () => {
  it('reports how often and where a text occurs that is not unique, and changes nothing', async () => {
    const outcome = await edit('a\nb\na\n', 'a', 'c');
    expect(outcome).toMatchObject({ status: 'error', text: 'a\nb\na\n' });
    expect(outcome.output).toContain('occurs 2 times (lines 1, 3)');
    expect(outcome.output).toContain('replace_all');
  });

  it('counts overlapping occurrences as more than one', async () => {
    expect(await edit('aaa', 'aa', 'b')).toMatchObject({ status: 'error', text: 'aaa' });
  });

  it('shows the lines that differ in whitespace only', async () => {
    const outcome = await edit('x\n\tif (a) {\n\t\treturn;\n\t}\n', '  if (a) {\n    return;\n  }', 'y');
    expect(outcome.status).toBe('error');
    expect(outcome.output).toContain('white space only:\n2\t\tif (a) {\n3\t\t\treturn;\n4\t\t}');
  });

  it('shows the place where a line of the wanted text occurs', async () => {
    const outcome = await edit('1\n2\nfunction far() {\n  four\n', 'function far() {\n  five', 'y');
    expect(outcome.output).toContain('1\t1\n2\t2\n3\tfunction far() {\n4\t  four');
  });

  it('reports that nothing is similar, or that the change was already made', async () => {
    expect((await edit('abc', 'something else', 'y')).output).toContain('no line of it is');
    expect((await edit('timeout = 30\n', 'timeout = 10', 'timeout = 30')).output).toContain('may have been made already');
  });

  it('preserves CR LF line ends and a byte order mark', async () => {
    expect((await edit('\ufeffa\r\nb\r\nc\r\n', 'a\nb', '1\n2')).text).toBe('\ufeff1\r\n2\r\nc\r\n');
    expect((await edit('a\r\nb\nc', 'b\nc', '1\n2')).text).toBe('a\r\n1\n2');
  });

  it('does not touch binary files', async () => {
    await workspace.write('f', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]));
    const run = editFile.run({ path: 'f', old_string: 'P', new_string: 'Q', replace_all: false }, context());
    await expect(run).rejects.toThrow('"f" is not a UTF-8 text file (5 bytes, beginning with 89 50 4e 47 00)');
  });
});
