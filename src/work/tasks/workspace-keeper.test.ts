import { expect, it } from 'vitest';
import { silentLog } from '@errand/base/log.ts';
import { createWorkspaces } from '@errand/sandbox/workspaces';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { createBlobs } from '../../store/blobs/blobs.ts';
import { WorkspaceKeeper } from './workspace-keeper.ts';

const key = { accountId: 'a1', taskId: 't1' };

it.each([
  { isAlone: true, hadCopy: false, state: 'kept', asks: 0 },
  { isAlone: true, hadCopy: true, state: 'kept', asks: 1 },
  { isAlone: false, hadCopy: false, state: 'new', asks: 0 },
  { isAlone: false, hadCopy: true, state: 'new', asks: 1 },
])('asks for the copy of a workspace unless its claim said that there is none: %o', async (one) => {
  const clock = new TestClock();
  const asked: string[] = [];
  const database = new MemoryDatabase(clock);
  database.interference = { before: ({ operation }) => void asked.push(operation) };
  const workspaces = createWorkspaces(createFolder('workspaces'));
  const blobs = createBlobs({ database, blobStore: new MemoryBlobStore(), clock });
  const keeper = new WorkspaceKeeper({ database, workspaces, blobs, clock, log: silentLog, isAlone: one.isAlone });
  expect(await keeper.restore(key, one.hadCopy)).toBe(one.state);
  expect(asked).toHaveLength(one.asks);
});
