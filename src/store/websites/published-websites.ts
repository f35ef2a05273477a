import type { SiteVisibility } from '../../rules/websites/site.ts';
import { type StoreOperation, type Row, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { websiteRow, websiteVersionRow } from './websites.ts';

const version = websiteVersionRow.pick('account_id, website_id, version_id, blob_id, index_at as indexAt, bytes');

/** A checkpoint of a site as visitors see it. */
export type LiveSite = ReturnType<typeof version.read> & { visibility: SiteVisibility };

function readLive(row: Row | undefined): LiveSite | null {
  return row ? { ...version.read(row), visibility: websiteRow.visibility(row) } : null;
}

const select = `SELECT ${version.columnsOf('v')}, w.visibility FROM websites w
  JOIN website_versions v ON v.account_id = w.account_id AND v.website_id = w.id`;

/** The site of a public URL, as long as it is public. Visitors have no account, so it is found by its space alone. */
export const findPublicSite: StoreOperation<{ space: string }, LiveSite | null> = {
  name: 'websites.findPublic',
  access: 'read',
  *run({ space }) {
    return readLive(
      yield* selectFirst(`${select} AND v.version_id = w.published_version WHERE w.space = ? AND w.visibility = 'public'`, space),
    );
  },
};

/** The site of a signed URL: the published checkpoint, while its visibility is still the one that the URL was signed for. */
export const findSignedSite: StoreOperation<{ accountId: string; websiteId: string; visibility: string }, LiveSite | null> = {
  name: 'websites.findSigned',
  access: 'read',
  *run({ accountId, websiteId, visibility }) {
    return readLive(
      yield* selectFirst(
        `${select} AND v.version_id = w.published_version WHERE w.account_id = ? AND w.id = ? AND w.visibility = ?`,
        accountId,
        websiteId,
        visibility,
      ),
    );
  },
};

/** How long a worker may take before another tries. */
const publishLeaseMs = 60_000;

/** Claims sites to publish for a minute, at most `limit`. */
export const claimDueSites: StoreOperation<{ limit: number }, LiveSite[]> = {
  name: 'websites.claimDue',
  access: 'exclusive',
  *run({ limit }) {
    const due = yield* selectAll(
      'SELECT account_id, id FROM websites WHERE publish_due_at <= errand_now() ORDER BY publish_due_at LIMIT ? FOR UPDATE SKIP LOCKED',
      limit,
    );
    const sites: LiveSite[] = [];
    for (const site of due) {
      const [accountId, id] = [websiteRow.account_id(site), websiteRow.id(site)];
      const [, [row] = []] = yield [
        sql(
          'UPDATE websites SET publish_due_at = errand_now() + ? WHERE account_id = ? AND id = ?',
          publishLeaseMs,
          accountId,
          id,
        ),
        sql(`${select} AND v.version_id = w.publishing_version WHERE w.account_id = ? AND w.id = ?`, accountId, id),
      ];
      const live = readLive(row);
      if (live) sites.push(live);
    }
    return sites;
  },
};

export interface PublishOutcome {
  accountId: string;
  websiteId: string;
  versionId: string;
  isGood: boolean;
  now: number;
}

/** Ends a publication, unless another has been requested since. */
export const recordPublication: StoreOperation<PublishOutcome, null> = {
  name: 'websites.recordPublication',
  access: 'write',
  keys: ({ websiteId }) => [websiteId],
  *run({ accountId, websiteId, versionId, isGood, now }) {
    yield* selectAll(
      `UPDATE websites SET publish_status = ?, published_version = ${isGood ? 'publishing_version' : 'published_version'},
       publishing_version = NULL, publish_due_at = NULL, status_updated_at = ?
       WHERE account_id = ? AND id = ? AND publishing_version = ? RETURNING id`,
      isGood ? 'published' : 'failed',
      now,
      accountId,
      websiteId,
      versionId,
    );
    return null;
  },
};
