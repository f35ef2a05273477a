// Usage: node docx-text.mjs DOCUMENT.docx
import { readParagraphs } from './package.mjs';

const [path] = process.argv.slice(2);
if (!path) {
  console.error('usage: node docx-text.mjs DOCUMENT.docx');
  process.exit(64);
}
readParagraphs(path).forEach((text, at) => {
  if (text.trim() !== '') console.log(`${at + 1}\t${text}`);
});
