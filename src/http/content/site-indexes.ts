import { Fault } from '@errand/base/fault.ts';
import type { SiteFile } from '../../rules/websites/site.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { LiveSite } from '../../store/websites/published-websites.ts';

/** Files of a site by their paths. */
export type SiteIndex = ReadonlyMap<string, SiteFile>;

/** Larger than any possible site: 2,000 files with long paths. */
const maxIndexBytes = 4 * 1024 * 1024;
const keptIndexes = 64;

/** The index of a checkpoint, read from the end of its blob. */
async function readSiteIndex(blobs: Pick<Blobs, 'open'>, { accountId, blobId, indexAt, bytes }: LiveSite): Promise<SiteIndex> {
  if (bytes - indexAt > maxIndexBytes)
    throw new Fault('internal', 'The website cannot be read.', { detail: 'its index is too long' });
  const content = await blobs.open(accountId, blobId, { start: indexAt, end: bytes - 1 });
  const files = JSON.parse(Buffer.concat(await content.toArray()).toString('utf8')) as SiteFile[];
  return new Map(files.map((file) => [file.path, file]));
}

/** Indexes of the most recently visited sites. A checkpoint never changes, so neither does its index. */
export class SiteIndexes {
  readonly #blobs: Blobs;
  readonly #known = new Map<string, SiteIndex>();

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async read(site: LiveSite): Promise<SiteIndex> {
    const known = this.#known.get(site.blobId) ?? (await readSiteIndex(this.#blobs, site));
    this.#known.delete(site.blobId);
    this.#known.set(site.blobId, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > keptIndexes && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}
