import { SaxesParser } from 'saxes';
import { longestReading } from './document-reading.ts';

/** What changes do to a text, by their elements. */
const kinds = new Map([
  ['w:ins', 'inserted'],
  ['w:moveTo', 'moved here'],
  ['w:del', 'deleted'],
  ['w:moveFrom', 'moved away'],
]);
const mostNamed = 5;
const longestQuote = 200;

interface Revision {
  author: string;
  kind: string;
  text: string;
}

/** The tracked changes of text in a part of a Word document, in order; a deletion in an insertion follows it. */
function readRevisions(xml: string): Revision[] {
  const revisions: Revision[] = [];
  const open: Revision[] = [];
  let inText = 0;
  const isText = (name: string) => name === 'w:t' || name === 'w:delText';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const kind = kinds.get(name);
    if (isText(name)) inText++;
    if (kind === undefined) return;
    const revision = { author: attributes['w:author'] ?? 'somebody', kind, text: '' };
    open.push(revision);
    revisions.push(revision);
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last && inText > 0) last.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (isText(name)) inText--;
    if (kinds.has(name)) open.pop();
  });
  parser.write(xml).close();
  return revisions.filter(({ text }) => text.trim() !== '');
}

function nameAuthors(revisions: readonly Revision[]): string {
  const authors = [...new Set(revisions.map(({ author }) => author))];
  const rest = authors.length - mostNamed;
  return `${authors.slice(0, mostNamed).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** What is tracked in a document: in a few words, null if nothing is, and change by change. */
export function describeRevisions(xml: string): { summary: string | null; lines: string[] } {
  const revisions = readRevisions(xml);
  const { length } = revisions;
  if (length === 0) return { summary: null, lines: [] };
  const count = length === 1 ? '1 tracked change' : `${length} tracked changes`;
  const lines = revisions.map(({ author, kind, text }) => {
    const quote = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
    return `${author} ${kind}: ${JSON.stringify(quote)}`;
  });
  const list = `--- tracked changes ---\n${lines.join('\n').slice(0, longestReading / 4)}`;
  return { summary: `${count} (${nameAuthors(revisions)}), shown as if accepted and listed at the end`, lines: [list] };
}
