/** The few places where the two engines do not read the same SQL. */

const sqliteCache = new Map<string, string>();
const postgresCache = new Map<string, string>();

function cached(cache: Map<string, string>, text: string, translate: (text: string) => string): string {
  let translated = cache.get(text);
  if (translated === undefined) {
    translated = translate(text);
    cache.set(text, translated);
  }
  return translated;
}

/** SQLite has one writer, so it needs no row locks, and compares text bytewise by default. */
export function toSqlite(text: string): string {
  return cached(sqliteCache, text, (source) =>
    source.replaceAll(/\s+FOR UPDATE(\s+OF \w+)?(\s+SKIP LOCKED)?/g, '').replaceAll(' COLLATE "C"', ''),
  );
}

/** PostgreSQL numbers its parameters, clusters no tables and chooses indexes by itself. */
export function toPostgres(text: string): string {
  return cached(postgresCache, text, (source) => {
    let index = 0;
    return source
      .replaceAll(/\)\s*WITHOUT ROWID/g, ')')
      .replaceAll(/ INDEXED BY \w+/g, '')
      .replaceAll('?', () => `$${++index}`);
  });
}
