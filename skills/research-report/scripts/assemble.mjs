// Usage: node assemble.mjs DRAFT.md SOURCES.json REPORT.md
// Turns [@key] citations into numbers, appends the list of sources, and reports what does not fit together.
import { readFileSync, writeFileSync } from 'node:fs';

const [draftPath, sourcesPath, reportPath] = process.argv.slice(2);
if (!reportPath) {
  console.error('usage: node assemble.mjs DRAFT.md SOURCES.json REPORT.md');
  process.exit(64);
}

const draft = readFileSync(draftPath, 'utf8');
const sources = JSON.parse(readFileSync(sourcesPath, 'utf8'));
if (!Array.isArray(sources)) throw new Error(`${sourcesPath} must hold a list of sources`);

const byKey = new Map();
const problems = [];
for (const source of sources) {
  if (typeof source.key !== 'string' || source.key === '') problems.push(`a source has no key: ${JSON.stringify(source)}`);
  else if (byKey.has(source.key)) problems.push(`two sources have the key ${source.key}`);
  else byKey.set(source.key, source);
  if (!source.title) problems.push(`the source ${source.key} has no title`);
  if (!source.url) problems.push(`the source ${source.key} has no address`);
}

const numbers = new Map();
function numberOf(key) {
  if (!byKey.has(key)) problems.push(`[@${key}] is cited, but there is no such source`);
  if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
  return numbers.get(key);
}

const text = draft.replace(/\[(@[^\]\n]+)\]/g, (_, inside) => {
  const keys = inside.split(';').map((part) => part.trim().replace(/^@/, ''));
  return `[${keys.map(numberOf).join(', ')}]`;
});

function describe(key) {
  const { title = key, url = '', publisher, date } = byKey.get(key) ?? {};
  const facts = [publisher, date].filter(Boolean).join(', ');
  return `${numbers.get(key)}. ${title}${facts ? ` (${facts})` : ''}${url ? `. <${url}>` : ''}`;
}

const unused = [...byKey.keys()].filter((key) => !numbers.has(key));
const list = [...numbers.keys()].map(describe);
writeFileSync(reportPath, `${text.trimEnd()}\n\n## Sources\n\n${list.join('\n')}\n`);

for (const problem of new Set(problems)) console.log(`problem: ${problem}`);
for (const key of unused) console.log(`note: the source ${key} is not cited`);
console.log(`${reportPath}: ${numbers.size} sources cited, ${text.split(/\s+/).filter(Boolean).length} words`);
process.exitCode = problems.length > 0 ? 1 : 0;
