import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { inPieces } from '../../../test/support/files/blob-store-contract.ts';
import { append, createClaimed } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { newId } from '@errand/base/ids.ts';
import { silentLog } from '@errand/base/log.ts';
import type { SiteCheckpoint, TaskEvent } from '../../rules/events/task-event.ts';
import { getArtifact } from '../../store/artifacts/artifacts.ts';
import { takeUnneededBlobs } from '../../store/blobs/blob-references.ts';
import { createBlobs } from '../../store/blobs/blobs.ts';
import type { ClaimedTask } from '../../store/tasks/claims/task-claims.ts';
import { getWebsite, publishWebsite } from '../../store/websites/websites.ts';
import { LibraryWorker } from './library-worker.ts';

/** A library with its worker, with a clock that stands still. */
class LibraryUnderTest {
  readonly clock = new TestClock();
  readonly database = new MemoryDatabase(this.clock);
  readonly blobs = createBlobs({ database: this.database, blobStore: new MemoryBlobStore(), clock: this.clock });
  readonly asked: string[] = [];
  /** Behavior of the cover generator; a picture whose text is `bad` has none. */
  makeCover = (picture: string): Promise<string> =>
    picture === 'bad' ? Promise.reject(new Error('no picture')) : Promise.resolve(`small ${picture}`);
  readonly worker = new LibraryWorker({
    database: this.database,
    blobs: this.blobs,
    clock: this.clock,
    log: silentLog,
    covers: {
      means: { hasBrowser: true, hasOffice: false, hasFfmpeg: false },
      make: async (source) => {
        if (source.kind === 'converted') throw new Error('there is no office program');
        const { kind, bytes } = source;
        const text = kind === 'picture' ? bytes.toString() : `${kind} ${bytes.toString()}`;
        this.asked.push(text);
        return Buffer.from(await this.makeCover(text));
      },
    },
  });
  #lease: ClaimedTask | undefined;

  async open(): Promise<this> {
    this.#lease = await createClaimed(this.database, { ttlMs: 1_000_000_000 });
    await this.worker.start();
    return this;
  }

  get lease(): ClaimedTask {
    if (!this.#lease) throw new Error('not open');
    return this.#lease;
  }

  async storeFile(text: string): Promise<{ blobId: string; bytes: number }> {
    return this.blobs.put(this.lease.accountId, inPieces(Buffer.from(text)), { maxBytes: 1000 });
  }

  async deliver(artifactId: string, filename: string, text: string, contentType = 'image/png'): Promise<void> {
    const { blobId, bytes } = await this.storeFile(text);
    const attachment = { kind: 'image' as const, blobId, bytes, filename, contentType };
    const event: TaskEvent = { type: 'file_delivered', artifactId, path: filename, displayName: filename, attachment };
    await append(this.lease, [event], this.database);
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async coverOf(artifactId: string): Promise<string | null> {
    const { accountId } = this.lease;
    const { cover } = await this.database.run(getArtifact, { accountId, artifactId, onlyClientId: null });
    if (!cover) return null;
    return Buffer.concat(await (await this.blobs.open(accountId, cover.blobId)).toArray()).toString();
  }
}

describe('covers', () => {
  it('are created for images soon after their delivery, and for nothing else', async () => {
    const library = await new LibraryUnderTest().open();
    const [picture, text] = [newId(1), newId(2)];
    await library.deliver(picture, 'a.png', 'sunset');
    await library.deliver(text, 'a.zip', 'words', 'application/zip');
    await library.settle();
    expect([await library.coverOf(picture), await library.coverOf(text)]).toEqual(['small sunset', null]);
    expect(library.asked).toEqual(['sunset']);
    await library.worker.stop();
  });

  it('are not retried for an invalid image, which delays no others', async () => {
    const library = await new LibraryUnderTest().open();
    const [bad, good] = [newId(1), newId(2)];
    await library.deliver(bad, 'bad.png', 'bad');
    await library.deliver(good, 'good.png', 'good');
    await library.settle();
    await library.clock.advance(3_600_000);
    expect(library.asked.toSorted()).toEqual(['bad', 'good']);
    expect([await library.coverOf(bad), await library.coverOf(good)]).toEqual([null, 'small good']);
    await library.worker.stop();
  });

  it('show the newest version, even if it arrives while another is processed', async () => {
    const library = await new LibraryUnderTest().open();
    const id = newId(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    library.makeCover = (picture) => (picture === 'old' ? promise : Promise.resolve(`small ${picture}`));
    await library.deliver(id, 'a.png', 'old');
    await library.settle();
    await library.deliver(id, 'a.png', 'new');
    resolve('small old');
    await library.settle();
    expect(await library.coverOf(id)).toBe('small new');
    // The cover of the earlier version is unreferenced and removed by the next sweep.
    const [unneeded] = await library.database.run(takeUnneededBlobs, { limit: 10 });
    expect(unneeded).toMatchObject({ accountId: library.lease.accountId });
    await library.worker.stop();
  });

  it('are created by another worker if one dies', async () => {
    const library = await new LibraryUnderTest().open();
    const id = newId(1);
    library.makeCover = () => new Promise(() => undefined);
    await library.deliver(id, 'a.png', 'sunset');
    await library.settle();
    expect(library.asked).toEqual(['sunset']);
    const { database, blobs, clock } = library;
    const covers = {
      means: { hasBrowser: true, hasOffice: false, hasFfmpeg: false },
      make: () => Promise.resolve(Buffer.from('by the other')),
    };
    const other = new LibraryWorker({ database, blobs, clock, covers, log: silentLog });
    await other.start();
    await library.settle();
    expect(await library.coverOf(id)).toBeNull();
    await clock.advance(5 * 60_000 + 10_000);
    await library.settle();
    expect(await library.coverOf(id)).toBe('by the other');
    await other.stop();
  });
});

const checkpoint = (blob: { blobId: string; bytes: number }, bytes = blob.bytes): SiteCheckpoint => ({
  websiteId: newId(7),
  folder: 'site/',
  space: 'space',
  title: 'Site',
  platform: 'website',
  versionId: `version of ${bytes}`,
  message: 'First',
  blobId: blob.blobId,
  indexAt: 1,
  bytes,
});

describe('the cover of a site', () => {
  it('shows its newest stored checkpoint, and is renewed with the next', async () => {
    const library = await new LibraryUnderTest().open();
    const websiteId = newId(7);
    for (const content of ['first', 'second']) {
      const site = { ...checkpoint(await library.storeFile(content)), websiteId };
      await append(library.lease, [{ type: 'site_made', ...site, versionId: content }], library.database);
      await library.settle();
      expect(await library.coverOf(site.websiteId)).toBe(`small site ${content}`);
    }
    await library.worker.stop();
  });
});

describe('a site to publish', () => {
  it('is published in the write that logs it, if its user has confirmed it', async () => {
    const library = await new LibraryUnderTest().open();
    const site = checkpoint(await library.storeFile('index and all'));
    const { accountId } = library.lease;
    const find = () => library.database.run(getWebsite, { accountId, websiteId: site.websiteId, taskId: null });
    await append(library.lease, [{ type: 'site_made', ...site }], library.database);
    await library.settle();
    expect(await find()).toMatchObject({ publishStatus: 'unpublished', visibility: 'private' });
    await append(library.lease, [{ type: 'site_made', ...site, publishFor: 'public' }], library.database);
    await library.settle();
    expect(await find()).toMatchObject({ publishStatus: 'published', visibility: 'public', publishedVersion: site.versionId });
    await library.worker.stop();
  });

  it.each([
    ['is published if it is complete', 0, 'published'],
    ['is not published if a part is missing', 1, 'failed'],
  ])('%s', async (_, missing, status) => {
    const library = await new LibraryUnderTest().open();
    const blob = await library.storeFile('index and all');
    const site = checkpoint(blob, blob.bytes + missing);
    await append(library.lease, [{ type: 'site_made', ...site }], library.database);
    const { accountId } = library.lease;
    const now = library.clock.now();
    await library.database.run(publishWebsite, { accountId, websiteId: site.websiteId, visibility: 'public', now });
    await library.settle();
    const found = await library.database.run(getWebsite, { accountId, websiteId: site.websiteId, taskId: null });
    expect(found).toMatchObject({
      publishStatus: status,
      publishedVersion: status === 'published' ? site.versionId : null,
      visibility: 'public',
    });
    await library.worker.stop();
  });
});
