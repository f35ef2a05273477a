import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Config } from '../../config/config.ts';
import { databaseFile } from '../../store/db/data-folder.ts';
import { restoreShipped } from '../../store/wal/wal-restore.ts';

export { isShippedFolder } from '../../store/wal/wal-restore.ts';

/** Restores the embedded database from a copy of its write-ahead log, and reports it. */
export async function restoreLog(
  source: string,
  { dataDir, secrets }: Config,
  { untilMs, isReplacing }: { untilMs: number; isReplacing: boolean },
): Promise<{ text: string; notes: string[]; json: object }> {
  if (secrets.databaseUrl !== null) {
    throw new StartFault('ERRAND_DATABASE_URL: a write-ahead log is restored into a data folder; unset it');
  }
  const size = await stat(join(dataDir, databaseFile)).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 0 && !isReplacing) {
    throw new StartFault(`ERRAND_DATA_DIR: ${dataDir} has a database; --replace sets it aside`);
  }
  const { atMs, replaced } = await restoreShipped(source, dataDir, untilMs);
  const at = new Date(atMs).toISOString();
  return {
    text: `restored the database as of ${at}`,
    notes: replaced === null ? [] : [`the database of before is ${replaced}; delete it when everything works`],
    json: { restored_at_iso: at, replaced },
  };
}
