import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { GcraLimiter } from '@errand/base/load/gcra-limiter.ts';
import type { SharePictures } from '../api/contract/services/share-pictures.ts';
import { BlobMissing } from '../store/blobs/blob-store.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import type { PublicTask } from '../store/tasks/shared-tasks.ts';
import { loadGenerators, readBytes } from './brand-service.ts';

/** Pictures in memory, each smaller than a megabyte. */
const mostKept = 24;
/** New pictures of an account in a minute: whoever may share can also ask for the pictures. */
const newAMinute = 30;

/** Draws the pictures of shared tasks in threads of their own. Visitors who ask for the same one wait for one drawing. */
export function openSharePictures(blobs: Pick<Blobs, 'open'>, clock: Clock): SharePictures {
  const pace = new GcraLimiter(clock, { count: newAMinute, windowMs: 60_000 });
  const kept = new Map<string, Promise<Uint8Array>>();
  let generators: ReturnType<typeof loadGenerators> | null = null;

  async function make({ accountId, title, cover }: PublicTask): Promise<Uint8Array> {
    const picture = cover && (await readBytes(blobs, accountId, cover.blobId).catch(passOverMissing));
    // Nobody cancels it: others may wait for the same picture.
    const { signal } = new AbortController();
    const call = { owner: accountId, signal, readFile: () => Promise.resolve(picture ?? new Uint8Array()) };
    const job = { title, cover: picture && 'cover.png' };
    const { files } = await (await (generators ??= loadGenerators(clock))).make('sharePicture', job, call);
    const [drawn] = files;
    if (!drawn) throw new Fault('internal', 'No picture was made.');
    return drawn.bytes;
  }

  return {
    async draw(task) {
      const key = JSON.stringify([task.accountId, task.title, task.cover?.blobId ?? null]);
      const known = kept.get(key);
      if (known) return known;
      const waitS = pace.take(task.accountId);
      if (waitS > 0) throw new Fault('resource_exhausted', 'Too many new pictures. Try again later.', { retryAfterS: waitS });
      const made = make(task);
      kept.set(key, made);
      // Not remembered, so that the next visitor has it tried again.
      made.catch(() => kept.delete(key));
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      return made;
    },
  };
}

/** The picture goes with its result; the rest can be drawn. */
function passOverMissing(error: unknown): null {
  if (error instanceof BlobMissing) return null;
  throw error;
}
