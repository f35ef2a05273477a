import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hostileArchives } from '../../../../test/support/files/archive-samples.ts';
import { tar, zip } from '../../../../test/support/files/archive-writer.ts';
import type { Unpacking } from '../../../../test/support/files/unpack-process.ts';
import { Child } from '../../../../test/support/process/child.ts';
import { compiledCode } from '../../../../test/support/process/compiled-code.ts';
import { createFolder, removeFolder } from '../../../../test/support/process/leftovers.ts';
import { toolContext } from '../../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { createReadFile } from '../read-file.ts';
import { createDocumentReader } from '../readers/document-reader.ts';
import { createListener } from '../readers/cached-transcriber.ts';
import type { ToolOutcome } from '../../toolbox/tool.ts';
import { createUnpackArchive } from '../unpack-archive.ts';
import { createArchiveReader } from './archive-reader.ts';

let base: string;
const archives = createArchiveReader(systemClock);
const unpack = createUnpackArchive(archives);
const readFile = createReadFile({
  documents: createDocumentReader(systemClock),
  archives,
  listener: createListener(systemClock),
});

beforeEach(() => {
  base = createFolder('archives');
});

afterEach(() => removeFolder(base));

const workspaceOf = () => openWorkspace(join(base, 'acc', 'task'));

async function call(
  tool: typeof unpack,
  input: Record<string, unknown>,
  signal = new AbortController().signal,
): Promise<ToolOutcome> {
  const context = toolContext(workspaceOf(), { signal });
  return tool.run(tool.input.parse(input), context);
}

/** Every file below a folder, by its workspace path, with its content. */
function listAll(folder = base): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const root = join(folder, 'acc', 'task');
  return Object.fromEntries(
    names.flatMap((entry) => {
      expect(entry.isSymbolicLink()).toBe(false);
      const path = join(entry.parentPath, entry.name);
      return entry.isFile()
        ? [[path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path, readFileSync(path, 'latin1')]]
        : [];
    }),
  );
}

const samples = hostileArchives().map((sample, index) => ({ ...sample, folder: `sample-${index}` }));

describe(`unpack_archive, given ${samples.length} hostile archives,`, () => {
  let folders: string;
  let report: Record<string, Unpacking>;

  beforeAll(async () => {
    folders = createFolder('hostile-archives');
    for (const { folder, name, bytes } of samples) {
      await openWorkspace(join(folders, folder, 'acc', 'task')).write(name, bytes.subarray(0, 10_000_000));
    }
    const script = fileURLToPath(new URL('../../../../test/support/files/unpack-process.ts', import.meta.url));
    const env = { ...compiledCode, PATH: process.env['PATH'] ?? '' };
    const child = await Child.start(process.execPath, ['--no-warnings', script, folders], { env, cwd: '/' });
    const { code } = await child.ended;
    const output = child.lines.map(({ text }) => text).join('\n');
    if (code !== 0) throw new Error(output);
    report = JSON.parse(output) as Record<string, Unpacking>;
  });

  afterAll(() => removeFolder(folders));

  it.each(samples)('keeps to its folder and its bounds with $about', ({ folder, name, files, leftOut = [], refused }) => {
    const { output, error, grownBytes } = report[folder] ?? { output: null, error: null, grownBytes: Number.NaN };
    expect(grownBytes).toBeLessThan(50 * 1024 * 1024);
    const { [name]: _, ...written } = listAll(join(folders, folder));
    if (refused) {
      expect(error).toMatch(refused);
      expect(written).toEqual({});
      expect(readdirSync(join(folders, folder, 'acc', 'task'))).toEqual([name]);
      return;
    }
    expect(error).toBeNull();
    const expected = Object.entries(files).map(([path, content]) => [`out/${path}`, content]);
    expect(written).toEqual(Object.fromEntries(expected));
    for (const one of leftOut) expect(output).toContain(JSON.stringify(one.length > 120 ? `${one.slice(0, 120)}…` : one));
    expect(output?.match(/^- /gm) ?? []).toHaveLength(leftOut.length);
  });
});

describe('unpack_archive', () => {
  it('unpacks every file of a legitimate archive of any format, and read_file lists it before', async () => {
    const big = 'line of text\n'.repeat(200_000);
    const parts = [
      { name: 'docs/a.md', content: '# A' },
      { name: 'docs/', mode: 0o040755 },
      { name: 'big.txt', content: big },
    ];
    const tarParts = [
      { name: 'docs/', type: '5' },
      { name: 'docs/a.md', content: '# A' },
      { name: 'big.txt', content: big },
    ];
    await workspaceOf().write('one.zip', zip(parts));
    await workspaceOf().write('two.tar', tar(tarParts));
    expect((await call(readFile, { path: 'one.zip' })).output).toContain('"docs/a.md" 3 bytes');
    expect((await call(readFile, { path: 'two.tar' })).output).toContain('two.tar (archive, 3 entries)');
    for (const path of ['one.zip', 'two.tar']) {
      expect(await call(unpack, { path })).toMatchObject({
        status: 'success',
        output: expect.stringMatching('2 files into') as string,
      });
    }
    const { 'one.zip': _, 'two.tar': __, ...written } = listAll();
    expect(written).toEqual({ 'one/docs/a.md': '# A', 'one/big.txt': big, 'two/docs/a.md': '# A', 'two/big.txt': big });
  });

  it('does not overwrite existing files, and reports invalid archives', async () => {
    await workspaceOf().write('one.zip', zip([{ name: 'a', content: 'new' }]));
    await workspaceOf().write('one/a', 'old');
    await workspaceOf().write('text.zip', 'no archive');
    await expect(call(unpack, { path: 'one.zip' })).rejects.toThrow('already exists');
    await expect(call(unpack, { path: 'text.zip' })).rejects.toThrow('not a zip, tar, or gzip');
    expect(readFileSync(join(base, 'acc/task/one/a'), 'utf8')).toBe('old');
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const parts = Array.from({ length: 3000 }, (_, index) => ({ name: `f${index}`, content: `${index}` }));
    await workspaceOf().write('many.zip', zip(parts));
    const stop = new AbortController();
    const running = call(unpack, { path: 'many.zip' }, stop.signal);
    const folder = join(base, 'acc/task/many');
    const isBegun = () => readdirSync(join(base, 'acc/task')).includes('many') && readdirSync(folder).length > 5;
    while (!isBegun()) await new Promise(setImmediate);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(readdirSync(join(base, 'acc', 'task'))).toEqual(['many.zip']);
  });

  it('does not follow a link that replaces the archive', async () => {
    writeFileSync(join(base, 'outside.zip'), zip([{ name: 'a', content: 'secret' }]));
    await workspaceOf().write('x', '');
    const { symlinkSync } = await import('node:fs');
    symlinkSync(join(base, 'outside.zip'), join(base, 'acc/task/link.zip'));
    await expect(call(unpack, { path: 'link.zip' })).rejects.toThrow('link');
  });
});
