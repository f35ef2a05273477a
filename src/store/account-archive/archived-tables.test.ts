import { describe, expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { accountTables, storageTables } from '../accounts/account-tables.ts';
import { listSealedColumns } from '../instance/sealed-values.ts';
import { archivedTables, omittedTables, stripRow } from './archived-tables.ts';
import { loadColumns } from './column-kinds.ts';

/** Columns that are named like secrets, and are none. */
const harmless = ['trigger_keys.digest'];

describe('the archive of an account', () => {
  it('has every table with rows of accounts, or a reason why not', () => {
    const listed = [...accountTables, ...storageTables].map(({ table }) => table);
    const archived = archivedTables.map(({ table }) => table);
    expect([...archived, ...omittedTables.keys()].toSorted()).toEqual([...new Set([...listed, 'accounts', 'blobs'])].toSorted());
    expect(archived[0]).toBe('accounts');
    for (const reason of omittedTables.values()) expect(reason).toMatch(/\w/);
  });

  it('has no sealed value, no digest, and no lease', async () => {
    const { columns } = await loadColumns();
    for (const { table, set } of archivedTables) {
      const kept = Object.keys(columns[table] ?? {}).filter((column) => !Object.hasOwn(set, column));
      const secret = kept.filter((column) => /digest|secret|password|sealed|lease|^token$/.test(column));
      expect(secret.filter((column) => !harmless.includes(`${table}.${column}`))).toEqual([]);
      expect(kept.filter((column) => listSealedColumns(table).includes(column))).toEqual([]);
    }
  });
});

describe('a row of the archive', () => {
  it('is private if it was shared with a team, in every table that can be', async () => {
    const { columns } = await loadColumns();
    const shared = archivedTables.flatMap((archived) =>
      Object.keys(columns[archived.table] ?? {})
        .filter((column) => column.endsWith('visibility'))
        .map((column) => ['team', 'public'].map((seenBy) => [archived.table, stripRow({ [column]: seenBy }, archived)[column]])),
    );
    expect(shared).toEqual([
      [
        ['tasks', 'private'],
        ['tasks', 'public'],
      ],
      [
        ['websites', 'private'],
        ['websites', 'public'],
      ],
    ]);
  });
});

describeStores('the columns of the migrations', (store) => {
  it('are those of the database, with their types', async () => {
    const { columns } = await loadColumns();
    for (const { table } of archivedTables) {
      const found =
        store.engine === 'sqlite'
          ? await store.query(`SELECT name, type FROM pragma_table_info('${table}')`)
          : await store.query(
              `SELECT column_name AS name, upper(data_type) AS type FROM information_schema.columns
               WHERE table_name = ? AND table_schema = current_schema()`,
              table,
            );
      const kinds = found.map(({ name, type }) => [name, type === 'TEXT' ? 'text' : 'number']);
      expect(kinds.length).toBeGreaterThan(0);
      expect([table, columns[table]]).toEqual([table, Object.fromEntries(kinds)]);
    }
  });
});
