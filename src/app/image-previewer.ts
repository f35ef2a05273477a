import { Readable } from 'node:stream';
import { Fault } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import type { ShowPicture } from '../agent/agent-ports.ts';
import type { Blobs } from '../store/blobs/blobs.ts';

const mostBytes = 4_000_000;

/** Makes pictures small enough for models, in a thread, and keeps them. */
export function createImagePreviewer(generators: Generators, blobs: Blobs): ShowPicture {
  return async (accountId, picture, signal) => {
    try {
      const { files } = await generators.make(
        'view',
        { path: 'picture' },
        { owner: accountId, readFile: () => Promise.resolve(picture), signal },
      );
      const [view] = files;
      if (!view) return null;
      return await blobs.put(accountId, Readable.from([view.bytes]), { maxBytes: mostBytes });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Fault && error.code !== 'internal') return null;
      throw error;
    }
  };
}
