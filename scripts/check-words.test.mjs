import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allowances, bannedNames, bannedPhrases, bannedSegments } from './banned-words.mjs';
import {
  applyAllowances,
  checkFileName,
  checkIdentifiers,
  checkPhrases,
  checkWords,
  findBannedWord,
  wordsOf,
} from './check-words.mjs';
import { parseSource } from './source-file.mjs';

/** @param {string} text */
const identifiersOf = (text) => checkIdentifiers(parseSource('src/a.ts', text)).map(({ word, line }) => [word, line]);
/** @param {string} value */
const phrasesOf = (value) => checkPhrases('docs/a.md', value, { value, offset: 0 }).map(({ word, line }) => [word, line]);

/** @param {string} word @param {string} file */
const finding = (word, file) => ({ word, path: file, line: 1, problem: '', remedy: '' });

describe('a name', () => {
  it.each([
    ['openCreditDesk', ['open', 'credit', 'desk']],
    ['open-credit-desk', ['open', 'credit', 'desk']],
    ['OPEN_CREDIT_DESK', ['open', 'credit', 'desk']],
    ['HTTPServer', ['http', 'server']],
    ['s3Shelf', ['s3', 'shelf']],
  ])('is made of words however it is written (%s)', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  it('is refused for a whole banned word, and not for one that only begins like it', () => {
    expect(findBannedWord('CreditDesk')).toEqual({ word: 'desk', remedy: 'Say service or gateway.' });
    for (const name of ['desktop', 'openList', 'pencil', 'surface', 'teller', 'foretold'])
      expect(findBannedWord(name)).toBeNull();
  });

  it('is refused as a whole where its words are ordinary', () => {
    expect(findBannedWord('keepFact')?.word).toBe('keepFact');
    expect(findBannedWord('ToolAccount')?.word).toBe('toolAccount');
    expect(findBannedWord('keepAlive')).toBeNull();
  });

  it('may be one that every object has', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) expect(findBannedWord(name)).toBeNull();
  });
});

describe('the check of a file', () => {
  it('reports its name', () => {
    expect(checkFileName('src/app/credit-desk.test.ts').map(({ word }) => word)).toEqual(['desk']);
    expect(checkFileName('src/app/credit-service.ts')).toEqual([]);
  });

  it('reports a banned identifier once, with the line where it stands first, private and JSX names too', () => {
    expect(identifiersOf('const a = 1;\nconst desk = a;\nf(desk);\n')).toEqual([['desk', 2]]);
    expect(identifiersOf('class A {\n  #told = 1;\n}\n')).toEqual([['told', 2]]);
  });

  it('leaves strings alone: stored names and those on the wire stay', () => {
    expect(identifiersOf("const sql = 'SELECT face, heard FROM rooms';\n")).toEqual([]);
  });

  it('finds a phrase across line breaks and the stars of a comment', () => {
    expect(phrasesOf('first\nby the public\n * face of it')).toEqual([['public face', 2]]);
    expect(phrasesOf('the public facet')).toEqual([]);
  });
});

describe('allowances', () => {
  it('cover one word in one file or below one folder', () => {
    const findings = [finding('face', 'packages/documents/src/a.ts'), finding('face', 'src/a.ts'), finding('desk', 'src/a.ts')];
    const allowed = [
      { word: 'face', in: 'packages/documents/', because: '' },
      { word: 'desk', in: 'src/a.ts', because: '' },
    ];
    expect(applyAllowances(findings, allowed)).toEqual([findings[1]]);
  });

  it('are reported when nothing needs them', () => {
    const [unused] = applyAllowances([], [{ word: 'face', in: 'src/', because: '' }]);
    expect(unused?.problem).toBe('face is allowed in src/ and not used there');
  });

  it('name only words that are banned, and say why', () => {
    const banned = { ...bannedSegments, ...bannedNames, ...bannedPhrases };
    for (const { word, because } of allowances) {
      expect(Object.keys(banned)).toContain(word);
      expect(because).not.toBe('');
    }
  });
});

describe('the lists', () => {
  it('never recommend a word that they ban', () => {
    for (const better of [...Object.values(bannedSegments), ...Object.values(bannedNames)]) {
      for (const name of better.split(/[ ,]+/)) expect(findBannedWord(name)).toBeNull();
    }
  });
});

describe('a checkout', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'errand-words-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('is searched in its source, its file names, its comments and its documents', () => {
    for (const folder of ['src', 'docs']) mkdirSync(path.join(root, folder));
    writeFileSync(path.join(root, 'src/credit-desk.ts'), '/** On the public face. */\nexport const shelf = 1;\n');
    writeFileSync(path.join(root, 'docs/page.md'), 'Asks the room next door.\n');
    writeFileSync(path.join(root, 'README.md'), 'Through the one door.\n');
    const { fileCount, findings } = checkWords(root, []);
    expect(fileCount).toBe(3);
    expect(findings.map(({ path: file, line, word }) => `${file}:${line} ${word}`).toSorted()).toEqual([
      'README.md:1 the one door',
      'docs/page.md:1 room next door',
      'src/credit-desk.ts:1 desk',
      'src/credit-desk.ts:1 public face',
      'src/credit-desk.ts:2 shelf',
    ]);
  });
});
