/**
 * The few places where the two engines do not read the same SQL. A statement is cut into pieces first: a literal, a quoted name and
 * a comment are one piece each and never looked into, so a `?` or a `FOR UPDATE` in one of them stays what it is. Each text is
 * translated once. Migrations take the same way.
 */

/** In this order: literal, quoted name, the two kinds of comment, blanks, word, anything else. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\s+|\w+|[^]/g;
const isBlank = /^(?:\s|--|\/\*)/;
const isName = /^\w/;

/** Words that follow each other; null stands for any name. */
type Phrase = readonly (string | null)[];

/** SQLite has one writer, so it needs no row locks, and compares text bytewise by default. */
const onlyPostgres: readonly Phrase[] = [
  ['FOR', 'UPDATE', 'OF', null, 'SKIP', 'LOCKED'],
  ['FOR', 'UPDATE', 'OF', null],
  ['FOR', 'UPDATE', 'SKIP', 'LOCKED'],
  ['FOR', 'UPDATE'],
  ['COLLATE', '"C"'],
];

/** PostgreSQL clusters no tables and chooses indexes by itself. */
const onlySqlite: readonly Phrase[] = [
  ['WITHOUT', 'ROWID'],
  ['INDEXED', 'BY', null],
];

/** Where a phrase that begins at `start` ends; null where it does not begin there. */
function matchPhrase(pieces: readonly string[], start: number, phrase: Phrase): number | null {
  let at = start;
  for (const word of phrase) {
    while (at > start && isBlank.test(pieces[at] ?? '')) at += 1;
    const found = pieces[at] ?? '';
    if (word === null ? !isName.test(found) : found !== word) return null;
    at += 1;
  }
  return at;
}

/** The pieces without these phrases and the blanks before them. */
function leaveOut(pieces: readonly string[], phrases: readonly Phrase[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const [end] = phrases.flatMap((phrase) => matchPhrase(pieces, at, phrase) ?? []);
    if (end === undefined) kept.push(pieces[at] ?? '');
    else if (/^\s/.test(kept.at(-1) ?? '')) kept.pop();
    at = end ?? at + 1;
  }
  return kept;
}

function cached(translate: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let translated = known.get(text);
    if (translated === undefined) {
      translated = translate(text);
      known.set(text, translated);
    }
    return translated;
  };
}

/** Portable SQL as SQLite reads it. */
export const toSqlite = cached((text) => leaveOut(text.match(piece) ?? [], onlyPostgres).join(''));

/** Portable SQL as PostgreSQL reads it, which numbers its parameters. */
export const toPostgres = cached((text) => {
  let index = 0;
  return leaveOut(text.match(piece) ?? [], onlySqlite)
    .map((found) => (found === '?' ? `$${++index}` : found))
    .join('');
});
