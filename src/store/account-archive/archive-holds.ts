import { holdPrefix } from '../db/backup-hold.ts';
import { sql, type StoreOperation } from '../db/store-operation.ts';

/** Keeps everything that an export may read, and the folders of an import without tasks yet, from being removed, for `holdMs` from now. */
export const holdForArchive: StoreOperation<{ id: string; holdMs: number }, null> = {
  name: 'accountArchives.hold',
  access: 'exclusive',
  *run({ id, holdMs }) {
    yield [
      sql(
        `INSERT INTO instance (name, value) VALUES (?, CAST(errand_now() + ? AS TEXT))
         ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        holdPrefix + id,
        holdMs,
      ),
    ];
    return null;
  },
};

/** Ends `holdForArchive`. */
export const endArchiveHold: StoreOperation<{ id: string }, null> = {
  name: 'accountArchives.endHold',
  access: 'exclusive',
  *run({ id }) {
    yield [sql('DELETE FROM instance WHERE name = ?', holdPrefix + id)];
    return null;
  },
};
