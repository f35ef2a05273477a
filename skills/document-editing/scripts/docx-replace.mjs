// Usage: node docx-replace.mjs DOCUMENT.docx EDITS.json RESULT.docx
// Replaces wording inside paragraphs and keeps the formatting of the run in which the old wording begins.
import { readFileSync } from 'node:fs';
import { decodeXml, encodeXml, isTextPart, mapParagraphs, readPackage, textOfParagraph, writePackage } from './package.mjs';

const [source, editsPath, result] = process.argv.slice(2);
if (!result) {
  console.error('usage: node docx-replace.mjs DOCUMENT.docx EDITS.json RESULT.docx');
  process.exit(64);
}
const edits = JSON.parse(readFileSync(editsPath, 'utf8'));
const counts = edits.map(() => 0);
const runText = /(<w:t)(\s[^>]*)?(>)([^<]*)(<\/w:t>)/g;

/** One replacement in a paragraph; the texts of its runs are looked at as one. */
function replaceOnce(xml, from, oldText, newText) {
  const runs = [...xml.matchAll(runText)].map(([, , , , text]) => decodeXml(text));
  const start = runs.join('').indexOf(oldText, from);
  if (start === -1) return null;
  const end = start + oldText.length;
  let at = 0;
  const changed = runs.map((text) => {
    const [first, last] = [at, at + text.length];
    at = last;
    if (last <= start || first >= end) return text;
    const head = text.slice(0, Math.max(start - first, 0));
    const tail = text.slice(Math.min(end - first, text.length));
    return head + (first <= start ? newText : '') + tail;
  });
  let index = 0;
  const renewed = xml.replace(runText, () => `<w:t xml:space="preserve">${encodeXml(changed[index++])}</w:t>`);
  return { xml: renewed, next: start + newText.length };
}

function editParagraph(xml) {
  let current = xml;
  edits.forEach(({ old, new: fresh }, at) => {
    if (!textOfParagraph(current).includes(old)) return;
    for (let from = 0; ; ) {
      const outcome = replaceOnce(current, from, old, fresh);
      if (!outcome) return;
      counts[at] += 1;
      current = outcome.xml;
      from = outcome.next;
    }
  });
  return current;
}

const parts = readPackage(source).map((part) =>
  isTextPart(part) ? { ...part, content: Buffer.from(mapParagraphs(part.content.toString(), editParagraph)) } : part,
);
const wrong = edits.filter(({ count = 1 }, at) => counts[at] !== count);
edits.forEach(({ old, count = 1 }, at) => {
  if (counts[at] !== count) console.log(`problem: ${JSON.stringify(old)} occurs ${counts[at]} times, not ${count}`);
});
if (wrong.length > 0) process.exitCode = 1;
else {
  writePackage(result, parts);
  console.log(`${result}: ${counts.reduce((sum, count) => sum + count, 0)} replacements by ${edits.length} edits`);
}
