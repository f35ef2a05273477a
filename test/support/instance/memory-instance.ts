import { silentLog } from '@errand/base/log.ts';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import { exportAccount } from '../../../src/app/account-archive/export-account.ts';
import { importAccount } from '../../../src/app/account-archive/import-account.ts';
import type { RowReader } from '../../../src/store/account-archive/row-readers.ts';
import { createAccount } from '../../../src/store/accounts/accounts.ts';
import { createBlobs } from '../../../src/store/blobs/blobs.ts';
import { Sweeper } from '../../../src/work/instance/sweeper.ts';
import { TestClock } from '../base/test-clock.ts';
import { MemoryDatabase } from '../db/memory-database.ts';
import { newAccountId } from '../db/store-samples.ts';
import { MemoryBlobStore } from '../files/memory-blob-store.ts';
import { createFolder } from '../process/leftovers.ts';

/** What of an instance exports and imports accounts; the database and the files are in memory, the workspaces on disk. */
export class MemoryInstance {
  readonly clock = new TestClock();
  readonly database = new MemoryDatabase(this.clock);
  readonly blobStore = new MemoryBlobStore();
  readonly log = silentLog;
  readonly blobs = createBlobs(this);
  readonly workspaces = createWorkspaces(createFolder('workspaces'));
  readonly sweeper = new Sweeper(this);
  readonly folder = createFolder('imports');
  readonly box = null;
  readonly isAlone: boolean;
  /** Readers of rows that are open. */
  readers = 0;

  constructor({ isAlone = true } = {}) {
    this.isAlone = isAlone;
  }

  async createAccount(): Promise<string> {
    const accountId = newAccountId();
    const createdAtMs = this.clock.now();
    await this.database.run(createAccount, { accountId, email: 'ann@example.com', plan: 'pro', locale: 'en', createdAtMs });
    return accountId;
  }

  openRows = (): Promise<RowReader> => {
    const { database } = this;
    this.readers += 1;
    return Promise.resolve({
      async *read({ table, where, params }) {
        yield* database.query(`SELECT * FROM ${table} WHERE ${where}`, ...params);
      },
      close: () => {
        this.readers -= 1;
        return Promise.resolve();
      },
    });
  };

  export(accountId: string) {
    return exportAccount(this, accountId);
  }

  import(file: string) {
    return importAccount(this, { file, email: null, actor: 'operator', signal: new AbortController().signal });
  }
}
