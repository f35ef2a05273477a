/** A part of a text that is replaced. */
export interface TextChange {
  from: number;
  to: number;
  text: string;
}

const inWord = /[\p{L}\p{N}\p{M}\p{Cs}_]/u;
/** The work is the product of the numbers of words. */
const mostPairs = 1_000_000;
/** What stays between two changes has as many words, or it is a part of one change: nobody decides about shreds of a sentence. */
const leastWords = 3;
/** Of the longer text; where less stays, it is one change. */
const leastShared = 0.3;
const isOpening = (sign = '') => sign !== '' && '([{“«'.includes(sign);
const isClosing = (sign = '') => sign !== '' && ')]}”»'.includes(sign);

/** Beside the mark in a number, as in 250,000 and 1.5. */
function isInNumber(text: string, place: number): boolean {
  return /\p{N}[.,]\p{N}/u.test(text.slice(Math.max(0, place - 2), place + 2));
}

function isBoundary(text: string, place: number): boolean {
  if (place <= 0 || place >= text.length) return true;
  if (isInNumber(text, place)) return false;
  return !inWord.test(text[place - 1] ?? '') || !inWord.test(text[place] ?? '');
}

/** The part that differs, in whole words, so that the format of what stays is not touched. */
export function narrowChange(before: string, after: string): TextChange {
  const shortest = Math.min(before.length, after.length);
  let from = 0;
  while (from < shortest && before[from] === after[from]) from++;
  while (from > 0 && !(isBoundary(before, from) && isBoundary(after, from))) from--;
  let tail = 0;
  while (tail < shortest - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  while (tail > 0 && !(isBoundary(before, before.length - tail) && isBoundary(after, after.length - tail))) tail--;
  return { from, to: before.length - tail, text: after.slice(from, after.length - tail) };
}

function splitWords(text: string): string[] {
  return text.match(/\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{N}\p{M}_])|[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];
}

function countWords(text: string): number {
  return splitWords(text).filter((each) => inWord.test(each)).length;
}

/** The lengths of the longest common sequences of what follows each pair of words. */
function countShared(before: readonly string[], after: readonly string[]): Int32Array {
  const width = after.length + 1;
  const shared = new Int32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const at = i * width + j;
      const isSame = before[i] === after[j];
      shared[at] = isSame ? (shared[at + width + 1] ?? 0) + 1 : Math.max(shared[at + width] ?? 0, shared[at + 1] ?? 0);
    }
  }
  return shared;
}

/** Adds a replaced part; joins it with the former if too few words are between. */
function addChange(changes: TextChange[], change: TextChange, text: string): void {
  const last = changes.at(-1);
  const between = last ? text.slice(last.to, change.from) : '';
  if (last && countWords(between) < leastWords) {
    changes[changes.length - 1] = { from: last.from, to: change.to, text: `${last.text}${between}${change.text}` };
  } else changes.push(change);
}

/** How many closing marks lack their opening one in a text, and how many of those that open their closing one. */
function countHalves(text: string): { closing: number; opening: number } {
  let [closing, opening] = [0, 0];
  for (const sign of text) {
    if (isOpening(sign)) opening++;
    else if (isClosing(sign) && opening > 0) opening--;
    else if (isClosing(sign)) closing++;
  }
  return { closing, opening };
}

/** The same change with what stays up to a bracket of which it has the other half, within the text from `first` to `end`. */
function completeBrackets(change: TextChange, before: string, first: number, end: number): TextChange {
  const halves = [countHalves(before.slice(change.from, change.to)), countHalves(change.text)];
  let { from, to } = change;
  const [closing, opening] = [Math.max(...halves.map((each) => each.closing)), Math.max(...halves.map((each) => each.opening))];
  const lead = before.slice(first, from);
  const tail = before.slice(to, end);
  for (let at = lead.length - 1, left = closing; left > 0 && at >= 0; at--) {
    if (isClosing(lead[at])) left++;
    else if (isOpening(lead[at]) && --left === 0) from = first + at;
  }
  for (let at = 0, left = opening; left > 0 && at < tail.length; at++) {
    if (isOpening(tail[at])) left++;
    else if (isClosing(tail[at]) && --left === 0) to += at + 1;
  }
  return { from, to, text: `${before.slice(from, change.from)}${change.text}${before.slice(change.to, to)}` };
}

/** The changes with whole brackets; those that meet thereby are one. */
function keepBracketsWhole(changes: readonly TextChange[], before: string): TextChange[] {
  const whole: TextChange[] = [];
  for (const [index, change] of changes.entries()) {
    const first = whole.at(-1)?.to ?? 0;
    addChange(whole, completeBrackets(change, before, first, changes[index + 1]?.from ?? before.length), before);
  }
  return whole;
}

/** The words that were replaced, in order and as small as the longest common sequence makes them. */
function compareWords(old: readonly string[], made: readonly string[], start: number): TextChange[] {
  const shared = countShared(old, made);
  const changes: TextChange[] = [];
  const width = made.length + 1;
  let [i, j, place] = [0, 0, start];
  while (i < old.length || j < made.length) {
    const from = place;
    let text = '';
    while ((i < old.length || j < made.length) && (i >= old.length || j >= made.length || old[i] !== made[j])) {
      const isDeleted =
        i < old.length && (j >= made.length || (shared[(i + 1) * width + j] ?? 0) >= (shared[i * width + j + 1] ?? 0));
      if (isDeleted) place += old[i++]?.length ?? 0;
      else text += made[j++] ?? '';
    }
    if (place > from || text !== '') changes.push({ from, to: place, text });
    if (i >= old.length || j >= made.length) continue;
    place += old[i]?.length ?? 0;
    i++;
    j++;
  }
  return changes;
}

/**
 * What was replaced in a text, as changes that can be accepted or rejected one by one: in whole words and brackets, several only where much
 * stays between them.
 */
export function listChanges(before: string, after: string): TextChange[] {
  const narrow = narrowChange(before, after);
  const [whole = narrow] = keepBracketsWhole([narrow], before);
  const middle = before.slice(narrow.from, narrow.to);
  const [old, made] = [splitWords(middle), splitWords(narrow.text)];
  if (old.length * made.length > mostPairs || old.length === 0 || made.length === 0) return [whole];
  const joined: TextChange[] = [];
  for (const change of compareWords(old, made, narrow.from)) addChange(joined, change, before);
  const changes = keepBracketsWhole(joined, before);
  const longest = Math.max(countWords(middle), countWords(narrow.text));
  const staying = changes.slice(1).map(({ from }, index) => countWords(before.slice(changes[index]?.to, from)));
  return staying.reduce((sum, each) => sum + each, 0) < leastShared * longest ? [whole] : changes;
}
