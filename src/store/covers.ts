import type { Attachment, StoredFile } from '../rules/task-event.ts';
import { keepBlobs } from './blob-rows.ts';
import { type Operation, selectAll, selectFirst, sql } from './db/operation.ts';

/** An artifact that waits for its cover. */
export interface DueCover {
  accountId: string;
  artifactId: string;
  taskId: string;
  /** The version the cover is for. */
  version: number;
  attachment: Attachment;
}

/** How long a worker may take before another tries, and how often it is tried. */
const coverLeaseMs = 5 * 60_000;
const maxTries = 3;

/** Artifacts that wait for a cover, at most `limit`; nobody else gets them for five minutes. */
export const claimDueCovers: Operation<{ limit: number }, DueCover[]> = {
  name: 'covers.claimDue',
  access: 'alone',
  *run({ limit }) {
    const due = yield* selectAll(
      `SELECT account_id, id, task_id, version, attachment, cover_tries FROM artifacts
       WHERE cover_due_at <= errand_now() ORDER BY cover_due_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      limit,
    );
    if (due.length === 0) return [];
    yield due.map((row) =>
      sql(
        'UPDATE artifacts SET cover_due_at = errand_now() + ?, cover_tries = cover_tries + 1 WHERE account_id = ? AND id = ?',
        Number(row.cover_tries) + 1 >= maxTries ? null : coverLeaseMs,
        row.account_id ?? null,
        row.id ?? null,
      ),
    );
    return due.map((row) => ({
      accountId: String(row.account_id),
      artifactId: String(row.id),
      taskId: String(row.task_id),
      version: Number(row.version),
      attachment: JSON.parse(String(row.attachment)) as Attachment,
    }));
  },
};

export interface CoverOutcome extends Omit<DueCover, 'attachment'> {
  /** Null where none can be made: it is not tried again. */
  cover: StoredFile | null;
}

/** Gives an artifact its cover, if it is still in the version that the cover was made of. */
export const recordCover: Operation<CoverOutcome, null> = {
  name: 'covers.record',
  access: 'write',
  keys: ({ artifactId }) => [artifactId],
  *run({ accountId, artifactId, taskId, version, cover }) {
    const row = yield* selectFirst(
      'SELECT version FROM artifacts WHERE account_id = ? AND id = ? FOR UPDATE',
      accountId,
      artifactId,
    );
    if (row?.version !== version) return null;
    if (cover && !(yield* keepBlobs(accountId, [cover.blobId], `task:${taskId}`))) return null;
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
