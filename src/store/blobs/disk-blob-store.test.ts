import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { describeBlobStore, inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { newId } from '@errand/base/ids.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { DiskBlobStore } from './disk-blob-store.ts';

describe('a blob store on disk', () => {
  const folder = createFolder('shelf');
  afterAll(() => removeFolder(folder));

  describeBlobStore(() => new DiskBlobStore(join(folder, 'blobs', 'instance')));

  it('leaves no file after a failed put', async () => {
    const top = join(folder, 'failed');
    const blobStore = new DiskBlobStore(top);
    await expect(blobStore.put(newId(1), newId(1), inPieces(Buffer.alloc(2)), 1)).rejects.toThrow('more than 1 bytes');
    const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files).toEqual([]);
  });

  it('writes the files of an account while another has used up its share of the disk', async () => {
    const [busy, other] = [newId(1), newId(1)];
    const writes = new FairGate({ capacity: 2 });
    const blobStore = new DiskBlobStore(join(folder, 'shared'), writes);
    const leave = await writes.enter({ owner: busy, signal: new AbortController().signal });
    const order: string[] = [];
    const put = async (owner: string, name: string) => {
      await blobStore.put(owner, newId(1), inPieces(Buffer.from(name)), 10);
      order.push(name);
    };
    const waiting = put(busy, 'busy');
    await put(other, 'other');
    leave();
    await waiting;
    expect(order).toEqual(['other', 'busy']);
  });
});
