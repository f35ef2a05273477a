import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@errand/base/fault.ts';
import type { AccountArchives } from '../../api/contract/account-archives.ts';
import type { ArchiveManifest } from '../../store/account-archive/archive-manifest.ts';
import type { RowReader } from '../../store/account-archive/row-readers.ts';
import type { Stores } from '../open-stores.ts';
import type { Runtime } from '../runtime.ts';

/** Exports that a process makes at once: each holds a connection to the database, and files of the account. */
const maxExports = 2;

/** Loads the code for exports and imports, which most processes never need. */
const loadExport = () => import('./export-account.ts');
const loadImport = () => import('./import-account.ts');
const loadRows = () => import('../../store/account-archive/row-readers.ts');

function busy(problem: string): Fault {
  return new Fault('unavailable', problem, { retryAfterS: 60 });
}

async function writeTo(file: string, pieces: AsyncGenerator<Uint8Array, ArchiveManifest>, signal: AbortSignal) {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const problem = error.code === 'EEXIST' ? 'exists already' : `cannot be written (${error.code ?? error.message})`;
    throw new Fault('invalid_argument', `file: ${file} ${problem}; choose another.`, { param: 'file', cause: error });
  });
  try {
    for (;;) {
      const piece = await pieces.next();
      if (piece.done) {
        await handle.sync();
        return piece.value;
      }
      if (signal.aborted) throw new Fault('unavailable', 'The export was interrupted.');
      await handle.appendFile(piece.value);
    }
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await pieces.return(undefined as never);
    await handle.close();
  }
}

/** The port `AccountArchives` of `api`. */
export function createAccountArchives({ config, clock }: Runtime, stores: Stores): AccountArchives {
  const { database, blobs, blobStore, workspaces, box, isAlone } = stores;
  const { dataDir, secrets } = config;
  let [running, isImporting] = [0, false];

  async function openRows(): Promise<RowReader> {
    const { openPostgresRows, openSqliteRows } = await loadRows();
    return secrets.databaseUrl === null ? openSqliteRows(dataDir) : openPostgresRows(secrets.databaseUrl);
  }

  async function* make(accountId: string): AsyncGenerator<Uint8Array, ArchiveManifest> {
    if (running >= maxExports) throw busy('Other accounts are being exported; try again in a minute.');
    running += 1;
    try {
      const { exportAccount } = await loadExport();
      return yield* exportAccount({ database, blobs, workspaces, clock, openRows }, accountId);
    } finally {
      running -= 1;
    }
  }

  return {
    open: make,
    write: (accountId, file, signal) => writeTo(file, make(accountId), signal),
    async import(request) {
      if (isImporting) throw busy('Another account is being imported; try again in a minute.');
      isImporting = true;
      try {
        const { importAccount } = await loadImport();
        const folder = join(dataDir, 'imports');
        return await importAccount({ database, blobStore, workspaces, isAlone, box, clock, folder }, request);
      } finally {
        isImporting = false;
      }
    },
  };
}
