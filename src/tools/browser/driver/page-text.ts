import type { Page } from 'playwright-core';
import { within } from './deadline.ts';
import { typedMark } from './typed-mark.ts';

const snapshotMs = 10_000;
const answerMs = 5_000;
/** Characters shown at a time. */
const partChars = 12_000;
const mostParts = 100;
const longestLine = 2_000;
/** Characters read of a page without an accessibility tree. */
const mostChars = 200_000;
/** A tree of more would take many seconds. */
const mostElements = 20_000;
const longestAddress = 300;

/** Elements that nobody acts on; their references would only take room. */
const plain =
  /^(generic|paragraph|text|listitem|row|rowgroup|cell|gridcell|rowheader|columnheader|img|heading|strong|emphasis|code|separator|time|term|definition|blockquote|caption|superscript|subscript|deletion|insertion|mark)\b/;

function isPlain(line: string): boolean {
  return plain.test(line) && !line.includes('[cursor=pointer]');
}

function cleanLine(line: string, origin: string): string {
  if (line.startsWith('/url:')) return line.replace(origin, '').slice(0, longestAddress);
  return (isPlain(line) ? line.replace(/ \[ref=\w+\]/, '').replace(/^(generic) \[active\]/, '$1') : line).replace(
    ' [cursor=pointer]',
    '',
  );
}

/** The snapshot without boxes that only group others, without what pictures consist of, and without references that nobody needs. */
export function compactSnapshot(snapshot: string, origin: string): string[] {
  const lines: string[] = [];
  const dropped: number[] = [];
  let picture: number | null = null;
  for (const raw of snapshot.split('\n')) {
    const [, space = '', rest] = /^( *)- (.*)$/s.exec(raw) ?? [];
    if (rest === undefined) {
      lines.push(raw);
      continue;
    }
    if (picture !== null && space.length <= picture) picture = null;
    if (picture !== null && isPlain(rest)) continue;
    while ((dropped.at(-1) ?? -1) >= space.length) dropped.pop();
    let line = cleanLine(rest, origin);
    if (/^img "[^\n]*:$/.test(line)) {
      picture = space.length;
      line = line.slice(0, -1);
    }
    if (line === 'generic:') dropped.push(space.length);
    else if (line !== 'generic') lines.push(`${' '.repeat(space.length - 2 * dropped.length)}- ${line}`);
  }
  return lines;
}

/** The lines of one element and of what is in it. */
function selectLines(snapshot: string, reference: string): string {
  const lines = snapshot.split('\n');
  const first = lines.findIndex((line) => line.includes(`[ref=${reference}]`));
  if (first < 0) throw new Error(`${reference} is not on the page any more; take a reference from what the page shows now`);
  const depth = (line: string) => line.length - line.trimStart().length;
  const top = depth(lines[first] ?? '');
  const count = lines.slice(first + 1).findIndex((line) => depth(line) <= top);
  const chosen = lines.slice(first, count < 0 ? undefined : first + 1 + count);
  return chosen.map((line) => line.slice(top)).join('\n');
}

/** Divides lines into parts of bounded length. */
export function divideLines(lines: readonly string[]): string[] {
  const pieces = lines.flatMap((line) => line.match(new RegExp(`.{1,${longestLine}}`, 'gsu')) ?? ['']);
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length + piece.length > partChars && part.length > 0) {
      parts.push(part.join('\n'));
      if (parts.length === mostParts) return parts;
      part = [];
      length = 0;
    }
    part.push(piece);
    length += piece.length + 1;
  }
  return [...parts, part.join('\n')];
}

/** What is in password fields, and in those that a person has filled in, longest first. */
async function readPasswords(page: Page): Promise<string[]> {
  const fields = `document.querySelectorAll("input[type=password], [${typedMark}]")`;
  const script = `[...${fields}].slice(0, 50).map((one) => String(one.value ?? one.textContent).trim()).filter(Boolean)`;
  const found = await Promise.all(page.frames().map((frame) => within(answerMs, frame.evaluate<string[]>(script))));
  return found.flatMap((values) => (Array.isArray(values) ? values.map(String) : [])).toSorted((a, b) => b.length - a.length);
}

/** Runs in a page of which a tree would take too long: its texts in their order, whether or not they are seen. */
const listTexts = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let length = 0; length < ${mostChars} && walker.nextNode();) {
    const text = walker.currentNode.data.trim();
    if (text === '' || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(walker.currentNode.parentElement?.tagName)) continue;
    texts.push(text);
    length += text.length;
  }
  return texts.join('\\n');
})()`;

async function readTexts(page: Page): Promise<string> {
  const text = await within(answerMs, page.evaluate<unknown>(listTexts));
  if (typeof text !== 'string' || text === 'late') return 'The page does not respond.';
  return `The page is too large to be shown with references; these are its texts.\n${text.slice(0, mostChars)}`;
}

/** What a page shows, as a tree of roles, names, and states; as plain text if it is too large for that. */
async function takeSnapshot(page: Page): Promise<string> {
  const count = await within(answerMs, page.evaluate<unknown>('document.getElementsByTagName("*").length'));
  if (count === 'late') return 'The page does not respond.';
  if (typeof count === 'number' && count > mostElements) return readTexts(page);
  const snapshot = await within(snapshotMs, page.ariaSnapshot({ mode: 'ai', timeout: snapshotMs }));
  if (snapshot === 'late') return readTexts(page);
  const passwords = await readPasswords(page);
  return passwords.reduce((text, word) => text.replaceAll(`: ${word}\n`, ': (hidden)\n'), `${snapshot}\n`).trimEnd();
}

/** One part of what a page shows. */
export async function showPage(
  page: Page,
  { part = 1, target }: { part?: number | undefined; target?: string | undefined },
): Promise<{ text: string; part: number; parts: number }> {
  const snapshot = await takeSnapshot(page);
  const chosen = target === undefined ? snapshot : selectLines(snapshot, target);
  const parts = divideLines(compactSnapshot(chosen, new URL(page.url()).origin));
  const shown = Math.min(part, parts.length);
  return { text: parts[shown - 1] ?? '', part: shown, parts: parts.length };
}
