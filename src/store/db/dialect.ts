/**
 * The few places where the two engines differ in SQL. A statement is split into tokens first: a literal, a quoted name, and a comment are
 * one token each, so a `?` or a `FOR UPDATE` inside them is left unchanged. Each text is translated once. Migrations are translated the
 * same way.
 */

/** Splits SQL into literals, quoted names, both kinds of comments, whitespace, words, and everything else, in this order. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\s+|\w+|[^]/g;
const isBlank = /^(?:\s|--|\/\*)/;
const isName = /^\w/;

/** A sequence of words; null matches any name. */
type Phrase = readonly (string | null)[];

/** SQLite has a single writer, so it needs no row locks, and compares text bytewise by default. */
const onlyPostgres: readonly Phrase[] = [
  ['FOR', 'UPDATE', 'OF', null, 'SKIP', 'LOCKED'],
  ['FOR', 'UPDATE', 'OF', null],
  ['FOR', 'UPDATE', 'SKIP', 'LOCKED'],
  ['FOR', 'UPDATE'],
  ['COLLATE', '"C"'],
];

/** PostgreSQL has no clustered tables and chooses indexes automatically. */
const onlySqlite: readonly Phrase[] = [
  ['WITHOUT', 'ROWID'],
  ['INDEXED', 'BY', null],
];

/** The end of a phrase that starts at `start`; null if it does not start there. */
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

/** The tokens without these phrases and without the whitespace before them. */
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

/** Portable SQL for SQLite. */
export const toSqlite = cached((text) => leaveOut(text.match(piece) ?? [], onlyPostgres).join(''));

/** Portable SQL for PostgreSQL, which numbers its parameters. */
export const toPostgres = cached((text) => {
  let index = 0;
  return leaveOut(text.match(piece) ?? [], onlySqlite)
    .map((found) => (found === '?' ? `$${++index}` : found))
    .join('');
});

/** Matches a part of a migration for one engine alone: the lines between one of these comments and the next. */
const sections = /^-- (only SQLite|only PostgreSQL|both)\n/m;

function linesFor(engine: 'SQLite' | 'PostgreSQL', migration: string): string {
  const [common = '', ...parts] = migration.split(sections);
  const kept = parts.filter((_, at) => at % 2 === 1 && ['both', `only ${engine}`].includes(parts[at - 1] ?? ''));
  return [common, ...kept].join('');
}

/** A migration for SQLite. */
export function migrationToSqlite(text: string): string {
  return toSqlite(linesFor('SQLite', text));
}

/** A migration for PostgreSQL. */
export function migrationToPostgres(text: string): string {
  return toPostgres(linesFor('PostgreSQL', text));
}
