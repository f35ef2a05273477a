import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { allowances, bannedNames, bannedPhrases, bannedSegments } from './banned-words.mjs';
import { lineAt, listFiles, readSource, walkTree } from './source-file.mjs';

/**
 * @typedef {import('./source-file.mjs').SourceFile} SourceFile
 * @typedef {{ path: string, line: number, problem: string, remedy: string, word: string }} Finding
 * @typedef {readonly { word: string, in: string, because: string }[]} Allowances
 */

/** The lists themselves, and what quotes old words on purpose. */
const quoting = new Set([
  'docs/reference/glossary.md',
  'scripts/banned-words.mjs',
  'scripts/check-words.mjs',
  'scripts/check-words.test.mjs',
]);

/**
 * The words of a name in lower case: `openCreditDesk`, `open-credit-desk` and `OPEN_CREDIT_DESK` have the same three.
 * @param {string} name
 * @returns {string[]}
 */
export function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/**
 * What is wrong with a name: the banned word and the standard one.
 * @param {string} name
 * @returns {{ word: string, remedy: string } | null}
 */
export function findBannedWord(name) {
  const whole = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const better = Object.hasOwn(bannedNames, whole) ? bannedNames[whole] : undefined;
  if (better !== undefined) return { word: whole, remedy: `Say ${better}.` };
  const word = wordsOf(name).find((each) => Object.hasOwn(bannedSegments, each));
  return word === undefined ? null : { word, remedy: `Say ${bannedSegments[word]}.` };
}

/**
 * @param {string} filePath
 * @returns {Finding[]}
 */
export function checkFileName(filePath) {
  const banned = findBannedWord(path.posix.basename(filePath).replace(/\..*/, ''));
  return banned ? [{ path: filePath, line: 1, problem: `the file is named ${banned.word}`, ...banned }] : [];
}

/**
 * Every banned identifier once, where it stands first.
 * @param {SourceFile} file
 * @returns {Finding[]}
 */
export function checkIdentifiers({ path: filePath, text, tree }) {
  /** @type {Map<string, Finding>} */
  const found = new Map();
  walkTree(tree, ({ type, name, start }) => {
    if (typeof name !== 'string' || !type.endsWith('Identifier') || found.has(name)) return;
    const banned = findBannedWord(name);
    if (banned)
      found.set(name, { path: filePath, line: lineAt(text, start + 1), problem: `${name} says ${banned.word}`, ...banned });
  });
  return [...found.values()];
}

/**
 * Banned phrases in prose. `offset` is where the prose begins in the file.
 * @param {string} filePath
 * @param {string} text of the whole file
 * @param {{ value: string, offset: number }} prose
 * @returns {Finding[]}
 */
export function checkPhrases(filePath, text, { value, offset }) {
  return Object.entries(bannedPhrases).flatMap(([phrase, better]) => {
    const pattern = new RegExp(`\\b${phrase.replaceAll(' ', '[\\s*/]+')}\\b`, 'gi');
    return Array.from(value.matchAll(pattern), ({ index }) => ({
      ...{ path: filePath, line: lineAt(text, offset + index + 1), word: phrase },
      ...{ problem: `the prose says "${phrase}"`, remedy: `Say "${better}".` },
    }));
  });
}

/**
 * Whether an allowance covers a finding.
 * @param {Allowances[number]} allowance
 * @param {Finding} finding
 */
function covers({ word, in: place }, finding) {
  return finding.word === word && (place.endsWith('/') ? finding.path.startsWith(place) : finding.path === place);
}

/**
 * Findings that no allowance covers, and allowances that cover none.
 * @param {readonly Finding[]} findings
 * @param {Allowances} allowed
 * @returns {Finding[]}
 */
export function applyAllowances(findings, allowed) {
  const unused = allowed.filter((allowance) => !findings.some((finding) => covers(allowance, finding)));
  return [
    ...findings.filter((finding) => !allowed.some((allowance) => covers(allowance, finding))),
    ...unused.map(({ word, in: place }) => ({
      ...{ path: 'scripts/banned-words.mjs', line: 1, word },
      ...{ problem: `${word} is allowed in ${place} and not used there`, remedy: 'Remove the allowance.' },
    })),
  ];
}

/**
 * @param {string} root
 * @param {string} filePath
 * @returns {Finding[]}
 */
function checkSource(root, filePath) {
  const file = readSource(root, filePath);
  const { comments } = parseSync(filePath, file.text);
  return [
    ...checkFileName(filePath),
    ...checkIdentifiers(file),
    ...comments.flatMap(({ value, start }) => checkPhrases(filePath, file.text, { value, offset: start + 2 })),
  ];
}

const rootDocuments = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];
const sourceFolders = ['src', 'packages', 'test', 'scripts', 'bench', 'web/src'];

/**
 * Every finding of a checkout.
 * @param {string} root
 * @param {Allowances} [allowed]
 */
export function checkWords(root, allowed = allowances) {
  const sources = listFiles(root, sourceFolders, /\.(tsx?|mjs)$/).filter((file) => !quoting.has(file));
  const pages = rootDocuments.filter((file) => existsSync(path.join(root, file)));
  const documents = [...pages, ...listFiles(root, ['docs'], /\.md$/)].filter((file) => !quoting.has(file));
  const findings = [
    ...sources.flatMap((file) => checkSource(root, file)),
    ...documents.flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return checkPhrases(file, text, { value: text, offset: 0 });
    }),
  ];
  return { fileCount: sources.length + documents.length, findings: applyAllowances(findings, allowed) };
}

if (import.meta.main) {
  const { fileCount, findings } = checkWords(process.cwd());
  for (const { path: file, line, problem, remedy } of findings) console.error(`${file}:${line}  ${problem}\n    ${remedy}`);
  console.log(`words: ${fileCount} files, ${findings.length === 0 ? 'one word for each idea' : `${findings.length} findings`}`);
  if (findings.length > 0) process.exitCode = 1;
}
