import type { Attachment, StoredFile } from '../../rules/events/task-event.ts';
import { dropBlob, addBlobReferences } from '../blobs/blob-references.ts';
import { type StoreOperation, selectAll, sql, lockRow } from '../db/store-operation.ts';
import { computedCodec, nullable, text } from '../db/row-codec.ts';
import { artifactRow } from './artifact-record.ts';

/** An artifact that needs a cover. */
export interface DueCover {
  accountId: string;
  artifactId: string;
  taskId: string;
  /** The version the cover is for. */
  version: number;
  /** Null for a site. */
  attachment: Attachment | null;
  /** The newest checkpoint of a site, null for other kinds. */
  site: CoveredSite | null;
}

/** A stored checkpoint. */
export interface CoveredSite {
  blobId: string;
  indexAt: number;
  bytes: number;
}

const { read: readDue } = artifactRow.pick('account_id, id as artifactId, task_id, version, attachment');
const coveredRow = computedCodec('covers.claimDue', { site: nullable(text) });

function readSite(site: string | null): CoveredSite | null {
  if (site === null) return null;
  const [blobId = '', indexAt, bytes] = site.split(' ');
  return { blobId, indexAt: Number(indexAt), bytes: Number(bytes) };
}

/** How long a worker may take before another tries, and the maximum number of attempts. */
const coverLeaseMs = 5 * 60_000;
const maxTries = 3;

/** Claims artifacts that need a cover for five minutes, at most `limit`. */
export const claimDueCovers: StoreOperation<{ limit: number }, DueCover[]> = {
  name: 'covers.claimDue',
  access: 'exclusive',
  *run({ limit }) {
    const due = yield* selectAll(
      `SELECT a.account_id, a.id, a.task_id, a.version, a.attachment, a.cover_tries,
       (SELECT v.blob_id || ' ' || v.index_at || ' ' || v.bytes FROM website_versions v
        WHERE a.attachment IS NULL AND v.account_id = a.account_id AND v.website_id = a.id
        ORDER BY v.number DESC LIMIT 1) AS site
       FROM artifacts a WHERE a.cover_due_at <= errand_now() ORDER BY a.cover_due_at LIMIT ? FOR UPDATE OF a SKIP LOCKED`,
      limit,
    );
    if (due.length === 0) return [];
    yield due.map((row) =>
      sql(
        'UPDATE artifacts SET cover_due_at = errand_now() + ?, cover_tries = cover_tries + 1 WHERE account_id = ? AND id = ?',
        artifactRow.cover_tries(row) + 1 >= maxTries ? null : coverLeaseMs,
        artifactRow.account_id(row),
        artifactRow.id(row),
      ),
    );
    return due.map((row) => ({ ...readDue(row), site: readSite(coveredRow.site(row)) }));
  },
};

export interface CoverOutcome extends Omit<DueCover, 'attachment' | 'site'> {
  /** Null if none can be made; it is not tried again. */
  cover: StoredFile | null;
}

/** Sets an artifact's cover, if its version has not changed since. */
export const recordCover: StoreOperation<CoverOutcome, null> = {
  name: 'covers.record',
  access: 'write',
  keys: ({ artifactId }) => [artifactId],
  *run({ accountId, artifactId, taskId, version, cover }) {
    const row = yield* lockRow('version', 'artifacts', { account_id: accountId, id: artifactId });
    if (!row || artifactRow.version(row) !== version) {
      if (cover) yield [dropBlob(accountId, cover.blobId)];
      return null;
    }
    if (cover && !(yield* addBlobReferences(accountId, [cover.blobId], `task:${taskId}`))) return null;
    yield [
      sql(
        'UPDATE artifacts SET cover = ?, cover_due_at = NULL WHERE account_id = ? AND id = ?',
        cover && JSON.stringify(cover),
        accountId,
        artifactId,
      ),
    ];
    return null;
  },
};
