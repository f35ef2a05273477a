import { beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import { listFiles } from './list-files.ts';
import { outputLimitBytes } from '../toolbox/output-cap.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createArchiveReader } from './archives/archive-reader.ts';
import { createReadFile } from './read-file.ts';
import { ModelFault } from '../../models/model.ts';
import { createDocumentReader } from './readers/document-reader.ts';
import type { Transcriber } from '../../models/speech/transcriber.ts';
import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import { createListener } from './readers/cached-transcriber.ts';
import type { Tool } from '../toolbox/tool.ts';
import { writeFile } from './write-file.ts';

let workspace: Workspace;
const readFile = createReadFile({
  documents: createDocumentReader(systemClock),
  archives: createArchiveReader(systemClock),
  listener: createListener(systemClock),
});

useWorkspace('tools', (opened) => {
  workspace = opened;
});

function run(tool: Tool, input: Record<string, unknown>) {
  return tool.run(tool.input.parse(input), toolContext(workspace));
}

describe('read_file', () => {
  it('numbers the lines and shows the requested ones', async () => {
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

  it('shows an empty file, and a last line without a line end, and no byte order mark', async () => {
    await workspace.write('empty', '');
    await workspace.write('marked', '\ufeffx\n\ny');
    expect((await run(readFile, { path: 'empty' })).output).toBe('empty is empty.');
    expect((await run(readFile, { path: 'marked' })).output).toBe('marked, lines 1 to 3 of 3:\n1\tx\n2\t\n3\ty');
  });

  it('can be read to the end by following the hint of each result', async () => {
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

  it('names the encoding of text that is not UTF-8', async () => {
    await workspace.write('old.csv', Buffer.from('Preis;Straße\n1;a b\n', 'latin1'));
    await workspace.write('wide.csv', Buffer.from('\uFEFFa;b\n', 'utf16le'));
    expect((await run(readFile, { path: 'old.csv' })).output).toMatch(/text in windows-1252, not UTF-8[^]*Straße/);
    expect((await run(readFile, { path: 'wide.csv' })).output).toMatch(/text in utf-16le, not UTF-8[^]*a;b/);
  });

  it('truncates a line that is too long, with a note', async () => {
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
  it('creates the folders, replaces the file, and reports its size in bytes', async () => {
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

  it('draws a tree with sizes and marks folders that were not opened', async () => {
    expect((await run(listFiles, { depth: 2 })).output).toBe(
      './\n  b.md  1.5 KB\n  node_modules/  (not opened)\n  src/\n    a.ts  1.5 KB\n    lib/  (not opened)',
    );
  });

  it('opens a folder by name, even one that is otherwise not entered', async () => {
    expect((await run(listFiles, { path: 'node_modules' })).output).toBe('node_modules/\n  p/\n    i.js  1.5 KB');
  });

  it('reports a truncated list, and only then', async () => {
    const full = (await run(listFiles, { limit: 7 })).output;
    expect(full).not.toContain('Cut');
    expect((await run(listFiles, { limit: 3 })).output).toBe(
      `${full.split('\n').slice(0, 4).join('\n')}\n[Cut after 3 entries. List a folder by its path, or raise limit (up to 1000).]`,
    );
  });

  it('distinguishes an empty folder from a missing one', async () => {
    const fresh = openWorkspace(createFolder('empty'));
    expect((await listFiles.run(listFiles.input.parse({}), toolContext(fresh))).output).toBe('. is empty.');
    removeFolder(fresh.root);
    await expect(run(listFiles, { path: 'gone' })).rejects.toThrow('does not exist');
  });
});

describe('read_file of what is no text', () => {
  const wav = Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0', 'latin1'),
    Buffer.alloc(8000),
  ]);
  const listen = (name: string, transcribe: Transcriber['transcribe'], maxBytes = 10_000) =>
    readFile.run(
      readFile.input.parse({ path: 'a.wav' }),
      toolContext(workspace, { transcriber: { name, maxBytes, transcribe } }),
    );

  it('describes a recording and transcribes it, or explains why that is impossible', async () => {
    await workspace.write('a.wav', wav);
    const about = 'a.wav (WAV audio recording, 1.0 seconds, mono, 8 kHz, 8044 bytes';
    const result = await listen('test/ear', () => Promise.resolve('one\ntwo'));
    expect(result.output).toBe(`${about}; a transcript of what is said in it), lines 1 to 2 of 2:\n1\tone\n2\ttwo`);
    const whole = about.replace(' (', ': ');
    expect((await run(readFile, { path: 'a.wav' })).output).toBe(`${whole}; not transcribed: no speech model is configured.`);
    const refuse = () => Promise.reject(new ModelFault('refused', 'the provider is away'));
    expect((await listen('test/deaf', refuse)).output).toBe(`${whole}; not transcribed: the provider is away.`);
    expect((await listen('test/small', refuse, 100)).output).toContain('it is too large for that');
  });

  it('shows pictures and drawings to a model with vision, and continues without those that cannot be shown', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    await workspace.write('a.svg', drawing);
    await workspace.write('a.md', 'text');
    const look = async (path: string, answer: (name: string) => SeenPicture | null) => {
      const shown: string[] = [];
      const show = (name: string, picture: Uint8Array) => {
        shown.push(Buffer.from(picture).toString());
        return Promise.resolve(answer(name));
      };
      const outcome = await readFile.run(readFile.input.parse({ path }), toolContext(workspace, { show }));
      return { shown, outcome };
    };
    const seen = await look('a.svg', (name) => ({ blobId: 'b', bytes: 3, name }));
    expect([seen.shown, seen.outcome.pictures]).toEqual([[drawing], [{ blobId: 'b', bytes: 3, name: 'a.svg' }]]);
    expect(seen.outcome.output).toContain('<rect');
    expect((await look('a.svg', () => null)).outcome).not.toHaveProperty('pictures');
    expect((await look('a.md', () => null)).shown).toEqual([]);
  });

  it('tells a model without vision that it is shown no picture, of pictures only', async () => {
    await workspace.write('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await workspace.write('a.md', 'text');
    const read = async (path: string) => (await readFile.run(readFile.input.parse({ path }), toolContext(workspace))).output;
    expect(await read('a.svg')).toMatch(/\nYou cannot see pictures: go by the words/);
    expect(await read('a.md')).not.toContain('no pictures');
  });
});
