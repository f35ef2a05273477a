import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../test/support/leftovers.ts';
import { toolContext } from '../../test/support/tool-context.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import { openWorkspace } from '../sandbox/workspace-folder.ts';
import { listFiles } from './list-files.ts';
import { outputLimitBytes } from './output-cap.ts';
import { systemClock } from '../base/clock.ts';
import { createArchiveReader } from './archive/archive-reader.ts';
import { createReadFile } from './read-file.ts';
import { createDocumentReader } from './reading/document-reader.ts';
import { createListener } from './reading/listener.ts';
import type { Tool } from './tool.ts';
import { writeFile } from './write-file.ts';

let workspace: Workspace;
const readFile = createReadFile({
  documents: createDocumentReader(systemClock),
  archives: createArchiveReader(systemClock),
  listener: createListener(null, systemClock),
});

beforeEach(() => {
  workspace = openWorkspace(createFolder('tools'));
});

afterEach(() => removeFolder(workspace.root));

function run(tool: Tool, input: Record<string, unknown>) {
  return tool.run(tool.input.parse(input), toolContext(workspace));
}

describe('read_file', () => {
  it('numbers the lines and shows the ones asked for', async () => {
    await workspace.write('a.txt', 'one\r\ntwo\nthree\n');
    expect((await run(readFile, { path: '/workspace/a.txt' })).output).toBe(
      'a.txt, lines 1 to 3 of 3:\n1\tone\n2\ttwo\n3\tthree',
    );
    expect((await run(readFile, { path: 'a.txt', start_line: 2, end_line: 2 })).output).toBe('a.txt, lines 2 to 2 of 3:\n2\ttwo');
    expect(await run(readFile, { path: 'a.txt', start_line: 4 })).toMatchObject({
      status: 'error',
      output: expect.stringContaining('3 lines') as string,
    });
    expect(await run(readFile, { path: 'a.txt', start_line: 3, end_line: 2 })).toMatchObject({ status: 'error' });
  });

  it('shows an empty file, a last line without an end, and no byte order mark', async () => {
    await workspace.write('empty', '');
    await workspace.write('marked', '\ufeffx\n\ny');
    expect((await run(readFile, { path: 'empty' })).output).toBe('empty is empty.');
    expect((await run(readFile, { path: 'marked' })).output).toBe('marked, lines 1 to 3 of 3:\n1\tx\n2\t\n3\ty');
  });

  it('can be read to the end by following what each result says', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1} é${'x'.repeat(index % 90)}`);
    await workspace.write('long', lines.join('\n'));
    const seen: string[] = [];
    for (let start: number | undefined = 1; start !== undefined; ) {
      const { output } = await run(readFile, { path: 'long', start_line: start });
      expect(Buffer.byteLength(output)).toBeLessThanOrEqual(outputLimitBytes);
      seen.push(...output.split('\n').flatMap((line) => /^\d+\t(.*)$/.exec(line)?.[1] ?? []));
      const next = /start_line (\d+)/.exec(output)?.[1];
      start = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(lines);
  });

  it('cuts a line that is too long, and says so', async () => {
    await workspace.write('min.js', 'x'.repeat(1_000_000));
    const { output } = await run(readFile, { path: 'min.js' });
    expect(output).toContain('[cut: this line has 1000000 characters]');
    expect(output.length).toBeLessThan(2200);
  });

  it.each([
    ['a NUL', new Uint8Array([65, 0, 66])],
    ['bytes that are no text', new Uint8Array([0xff, 0x01, 0xff])],
  ])('refuses %s and says what the file is', async (_, bytes) => {
    await workspace.write('photo', bytes);
    await expect(run(readFile, { path: 'photo' })).rejects.toThrow(/"photo" is not a UTF-8 text file \(3 bytes, beginning with/);
  });
});

describe('write_file', () => {
  it('makes the folders, replaces the file and tells its size in bytes', async () => {
    expect((await run(writeFile, { path: './a/b/c.md', content: 'Grüße' })).output).toBe('Wrote a/b/c.md (7 bytes).');
    await run(writeFile, { path: 'a/b/c.md', content: 'x' });
    expect((await workspace.read('a/b/c.md')).toString()).toBe('x');
  });
});

describe('list_files', () => {
  beforeEach(async () => {
    for (const path of ['src/lib/deep/x.ts', 'src/a.ts', 'node_modules/p/i.js', 'b.md'])
      await workspace.write(path, 'x'.repeat(1500));
  });

  it('draws a tree with sizes and says what it did not open', async () => {
    expect((await run(listFiles, { depth: 2 })).output).toBe(
      './\n  b.md  1.5 KB\n  node_modules/  (not opened)\n  src/\n    a.ts  1.5 KB\n    lib/  (not opened)',
    );
  });

  it('opens a folder that is named, even one that is otherwise left closed', async () => {
    expect((await run(listFiles, { path: 'node_modules' })).output).toBe('node_modules/\n  p/\n    i.js  1.5 KB');
  });

  it('says when it cut the list, and only then', async () => {
    const full = (await run(listFiles, { limit: 7 })).output;
    expect(full).not.toContain('Cut');
    expect((await run(listFiles, { limit: 3 })).output).toBe(
      `${full.split('\n').slice(0, 4).join('\n')}\n[Cut after 3 entries. List a folder by its path, or raise limit (up to 1000).]`,
    );
  });

  it('tells an empty folder from one that is not there', async () => {
    const fresh = openWorkspace(createFolder('empty'));
    expect((await listFiles.run(listFiles.input.parse({}), toolContext(fresh))).output).toBe('. is empty.');
    removeFolder(fresh.root);
    await expect(run(listFiles, { path: 'gone' })).rejects.toThrow('does not exist');
  });
});
