// Usage: node compare.mjs BEFORE AFTER   (DOCX, Markdown or text)
import { readParagraphs } from './package.mjs';

const [before, after] = process.argv.slice(2);
if (!after) {
  console.error('usage: node compare.mjs BEFORE AFTER');
  process.exit(64);
}

/** The longest common subsequence of two lists, after what both begin and end with is set aside. */
function compareLists(a, b) {
  let [start, endA, endB] = [0, a.length, b.length];
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const [left, right] = [a.slice(start, endA), b.slice(start, endB)];
  if (left.length * right.length > 4_000_000) return [...left.map((text) => ['-', text]), ...right.map((text) => ['+', text])];
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i][j] = left[i] === right[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const changes = [];
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    if (i < left.length && j < right.length && left[i] === right[j]) [i, j] = [i + 1, j + 1];
    else if (j >= right.length || (i < left.length && lengths[i + 1][j] >= lengths[i][j + 1])) changes.push(['-', left[i++]]);
    else changes.push(['+', right[j++]]);
  }
  return changes;
}

const changes = compareLists(readParagraphs(before), readParagraphs(after)).filter(([, text]) => text.trim() !== '');
for (const [mark, text] of changes) console.log(`${mark} ${text}`);
const count = (wanted) => changes.filter(([mark]) => mark === wanted).length;
console.log(`${count('-')} paragraphs removed or changed, ${count('+')} added or changed`);
