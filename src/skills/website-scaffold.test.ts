import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';

const script = fileURLToPath(new URL('../../skills/website/scripts/scaffold.mjs', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = createFolder('scaffold');
});

afterEach(() => removeFolder(folder));

function scaffold(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Scaffolds the dashboard of a table. */
function read(csv: string | Uint8Array) {
  writeFileSync(join(folder, 'd.csv'), csv);
  return scaffold('site', '--kind', 'dashboard', '--data', 'd.csv');
}

const data = () => readFileSync(join(folder, 'site/data.js'), 'utf8');

describe('the scaffold of a website', () => {
  it('puts the card beside the folder, however the folder is written', () => {
    expect(scaffold('./site//')).toMatchObject({ status: 0 });
    expect(existsSync(join(folder, 'site-og.html'))).toBe(true);
    expect(existsSync(join(folder, 'site/-og.html'))).toBe(false);
    for (const path of ['.', './', 'site/..', '..']) expect(scaffold(path)).toMatchObject({ status: 64 });
  });

  it('refuses what it would have to leave out, and makes nothing', () => {
    writeFileSync(join(folder, 'd.csv'), 'Name,Sum\na,1\n');
    for (const [args, reason] of [
      [['--pages', 'index,About'], '--pages: "About"'],
      [['--pages', 'index,über'], '--pages: "über"'],
      [['--data', 'd.csv'], '--data: no page is a dashboard'],
      [['--colour', 'red'], '--colour'],
      [['more'], 'usage'],
    ] as const) {
      const { status, stderr } = scaffold('site', ...args);
      expect(status).toBe(64);
      expect(stderr).toContain(reason);
    }
    expect(existsSync(join(folder, 'site'))).toBe(false);
  });

  it('reads tables of other encodings', () => {
    const text = 'Straße;Wert\nGrüße;1\n';
    const encoded = {
      utf8: Buffer.from(text),
      marked: Buffer.from(`\uFEFF${text}`),
      utf16: Buffer.from(`\uFEFF${text}`, 'utf16le'),
      windows: Buffer.from(text, 'latin1'),
    };
    for (const [name, bytes] of Object.entries(encoded)) {
      writeFileSync(join(folder, 'd.csv'), bytes);
      expect(scaffold(name, '--kind', 'dashboard', '--data', 'd.csv')).toMatchObject({ status: 0 });
      const made = readFileSync(join(folder, name, 'data.js'), 'utf8');
      expect(made).toContain('[{"name":"Straße","kind":"text"},{"name":"Wert","kind":"number"}]');
      expect(made).toContain('["Grüße",1]');
    }
  });

  it('says what it read', () => {
    expect(read('Day,Name,Sum\n2025-03-05,a,1\n2025-03-06,b,2\n').stdout).toContain(
      'site/data.js: 2 rows, columns: Day (date), Name (text), Sum (number)\n',
    );
  });

  it('finds the separator outside of quotes, and knows the first line of Excel', () => {
    expect(read('sep=;\r\n"Name, first, last";Age;\r\n"Ann; Lee";30;\r\n').status).toBe(0);
    expect(data()).toContain('{"name":"Name, first, last","kind":"text"},{"name":"Age","kind":"number"}');
    expect(data()).toContain('["Ann; Lee",30');
  });

  it('refuses a table that it cannot read, and names the line', () => {
    for (const [csv, reason] of [
      ['Name,Note\nA,"open\nB,x\nC,y\n', 'line 2: a quote is not closed'],
      ['Name,Note\nA,"open\nB,"x"\n', 'line 3: text after a closing quote'],
      ['Name,Note\n"a\nb",x\nC,y,z\n', 'line 4: 3 cells, but the head has 2'],
      ['\n', 'no columns'],
    ] as const) {
      const { status, stderr } = read(csv);
      expect(stderr).toContain(`d.csv: ${reason}`);
      expect(status).toBe(65);
    }
    expect(existsSync(join(folder, 'site'))).toBe(false);
  });
});
