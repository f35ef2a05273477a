import type { OpenStore } from './open-store.ts';

const embedded = `SELECT COALESCE(m.tbl_name, d.name) AS tab, SUM(d.pgsize) AS bytes FROM dbstat d
  LEFT JOIN sqlite_schema m ON m.name = d.name GROUP BY 1`;
const server = `SELECT relname AS tab, pg_total_relation_size(oid) AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** The bytes of each table with its indexes. */
export async function measureTables(store: OpenStore): Promise<Map<string, number>> {
  const rows = await store.query(store.isEmbedded ? embedded : server);
  // The tables that an index of words consists of are named after it.
  const nameOf = (table: string) => (table.startsWith('searched_words') ? 'searched_words' : table);
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const name = nameOf(String(row['tab']));
    sizes.set(name, (sizes.get(name) ?? 0) + Number(row['bytes']));
  }
  return sizes;
}

/** By how much each table is larger than before. */
export function subtractSizes(after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): [string, number][] {
  const grown = [...after].map(([name, bytes]): [string, number] => [name, bytes - (before.get(name) ?? 0)]);
  return grown.filter(([, bytes]) => bytes > 0).toSorted(([, one], [, other]) => other - one);
}
