import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { operations } from '../src/api/index.ts';
import { legacyOperations } from '../src/legacy/index.ts';
import { webRoutes } from '../src/oauth/routes/route-table.ts';
import { listFiles } from './source-file.mjs';

/**
 * @typedef {{ title: string, address: string, summary: string, words: readonly string[] }} Row
 */

const target = 'docs/compatibility.md';
const command = 'node scripts/generate-compatibility.mjs';
const root = path.join(import.meta.dirname, '..');

/** Tests that look at something else than what an operation answers. */
const otherFolders = ['test/browser', 'test/crash', 'test/fuzz', 'test/sim', 'test/models', 'test/bench', 'test/support'];
const mostTests = 3;

/** By what tests show that they leave the way to an endpoint to openid-client, which reads the metadata. */
const sdkWords = ['discovery('];

/** Pages to which applications send their users. */
const pagesOfApplications = ['/oauth/authorize', '/openapi/oauth', '/device', '/oauth-apps/connector-consent'];

const introduction = `<!-- Written by \`${command}\`; changes belong there. -->

# Compatibility

What this service answers, and the tests that hold each row: they run against a real service over HTTP, most on both databases. An
operation that no test asks for fails the check.
`;

/** Every black-box test with its text. */
const tests = listFiles(root, ['test'], /\.test\.ts$/)
  .filter((file) => !otherFolders.some((folder) => file.startsWith(`${folder}/`)))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

/**
 * The tests that ask for an operation, those that do it most often first.
 * @param {readonly string[]} words
 */
function findTests(words) {
  const counted = tests.map(({ file, text }) => ({
    file,
    count: words.reduce((sum, word) => sum + text.split(word).length - 1, 0),
  }));
  return counted
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || one.file.localeCompare(other.file));
}

/** @param {string} file */
function linkTo(file) {
  return `[${path.basename(file, '.test.ts')}](../${file})`;
}

/**
 * @param {Row} row
 * @param {string[]} problems
 */
function tellRow({ title, address, summary, words }, problems) {
  const found = findTests(words);
  if (found.length === 0) problems.push(`${address} has no black-box test`);
  return `| ${title} | \`${address}\` | ${summary.replaceAll('|', '\\|')} | ${found
    .slice(0, mostTests)
    .map(({ file }) => linkTo(file))
    .join(', ')} |`;
}

const head = (/** @type {string} */ title) =>
  `\n## ${title}\n\n| operation | address | what it does | held by |\n|---|---|---|---|\n`;

/**
 * What tests write of an address of v1: its beginning up to the first parameter, or the call of the SDK that leads there.
 * @param {string} address
 */
function wordsOf(address) {
  const beginning = address.split('/:', 1)[0] ?? address;
  if (beginning.endsWith('/responses')) return ['/responses', 'client.responses.'];
  // Alone, it also stands in addresses of the content origin.
  if (beginning === '/files') return ["'/files", '${prefix}/files', 'client.files.'];
  return beginning === '/v1/files' ? [beginning, 'client.files.'] : [beginning];
}

/** The addresses of a page, in order. @param {string} text */
function addressesOf(text) {
  return [...text.matchAll(/^\| [^|]+ \| (`[A-Z]+ [^`]+`)/gm)].map(([, address]) => address).join('\n');
}

/** @returns {{ text: string, problems: string[] }} */
export function renderCompatibility() {
  /** @type {string[]} */
  const problems = [];
  const present = operations.map((operation) =>
    tellRow(
      {
        title: `[${operation.name}](operations.md#${operation.name.toLowerCase().replaceAll('.', '')})`,
        address: `${operation.method} ${operation.path}`,
        summary: operation.summary,
        words: [operation.name],
      },
      problems,
    ),
  );
  const legacy = legacyOperations.map(({ method, path: address, summary }) =>
    tellRow({ title: 'v1', address: `${method} ${address}`, summary, words: wordsOf(address) }, problems),
  );
  const endpoints = webRoutes
    .filter(({ kind, path: address }) => kind === 'endpoint' || pagesOfApplications.includes(address))
    .map(({ method, path: address }) =>
      tellRow(
        { title: 'OAuth', address: `${method} ${address}`, summary: 'See [OAuth](oauth.md).', words: [address, ...sdkWords] },
        problems,
      ),
    );
  const text = [
    introduction,
    `${head('The present version')}${present.join('\n')}\n`,
    `${head('The first version and the OpenAI-compatible face')}${legacy.join('\n')}\n`,
    `${head('OAuth')}${endpoints.join('\n')}\n`,
  ].join('');
  return { text, problems };
}

if (import.meta.main) {
  const file = path.join(root, target);
  const { text, problems } = renderCompatibility();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  // Which tests ask most often changes with every test; that each row is there does not.
  else if (addressesOf(readFileSync(file, 'utf8')) !== addressesOf(text)) {
    console.error(`${target} does not have the rows of the operation tables\n    Run ${command}.`);
    process.exitCode = 1;
  }
}
