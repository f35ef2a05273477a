/** A part of a text that is replaced. */
export interface TextChange {
  from: number;
  to: number;
  text: string;
}

const inWord = /[\p{L}\p{N}\p{M}\p{Cs}_]/u;
/** The work is the product of the numbers of words. */
const mostPairs = 1_000_000;
/** Texts with fewer words in common are not versions of one another. */
const leastShared = 0.3;

function isBoundary(text: string, place: number): boolean {
  return place <= 0 || place >= text.length || !inWord.test(text[place - 1] ?? '') || !inWord.test(text[place] ?? '');
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
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];
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

/** Adds a replaced part; joins it with the former if only a space is between, which nobody reads as unchanged. */
function addChange(changes: TextChange[], change: TextChange, text: string): void {
  const last = changes.at(-1);
  if (last && text.slice(last.to, change.from).trim() === '') {
    changes[changes.length - 1] = {
      from: last.from,
      to: change.to,
      text: `${last.text}${text.slice(last.to, change.from)}${change.text}`,
    };
  } else changes.push(change);
}

/** What was replaced in a text, word by word and in order. */
export function listChanges(before: string, after: string): TextChange[] {
  const whole = narrowChange(before, after);
  const middle = before.slice(whole.from, whole.to);
  const [old, made] = [splitWords(middle), splitWords(whole.text)];
  if (old.length * made.length > mostPairs || old.length === 0 || made.length === 0) return [whole];
  const shared = countShared(old, made);
  if ((shared[0] ?? 0) < leastShared * Math.min(old.length, made.length)) return [whole];
  const changes: TextChange[] = [];
  const width = made.length + 1;
  let [i, j, place] = [0, 0, whole.from];
  while (i < old.length || j < made.length) {
    const from = place;
    let text = '';
    while ((i < old.length || j < made.length) && (i >= old.length || j >= made.length || old[i] !== made[j])) {
      const isDeleted =
        i < old.length && (j >= made.length || (shared[(i + 1) * width + j] ?? 0) >= (shared[i * width + j + 1] ?? 0));
      if (isDeleted) place += old[i++]?.length ?? 0;
      else text += made[j++] ?? '';
    }
    if (place > from || text !== '') addChange(changes, { from, to: place, text }, before);
    if (i >= old.length || j >= made.length) continue;
    place += old[i]?.length ?? 0;
    i++;
    j++;
  }
  return changes;
}
