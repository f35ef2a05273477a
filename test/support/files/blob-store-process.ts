import { randomBytes } from 'node:crypto';
import { Fault } from '@errand/base/fault.ts';
import { DiskBlobStore } from '../../../src/store/blobs/disk-blob-store.ts';

/** Stores one blob of 200 KB in the given folder and reports the result: to be observed, or disturbed, from outside. */
const [folder = '', accountId = '', blobId = ''] = process.argv.slice(2);

async function* source(): AsyncGenerator<Uint8Array> {
  for (let count = 0; count < 4; count++) yield randomBytes(50_000);
}

try {
  const { bytes } = await new DiskBlobStore(folder).put(accountId, blobId, source(), 1_000_000);
  console.log(`stored ${bytes}`);
} catch (error) {
  console.log(`failed ${error instanceof Fault ? error.code : String(error)}`);
}
