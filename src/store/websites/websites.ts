import { Fault } from '@errand/base/fault.ts';
import type { PublishStatus, SiteVisibility } from '../../rules/websites/site.ts';
import { searchTextOf } from '../../rules/artifacts/search-text.ts';
import { type StoreOperation, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { areTeammates, isMember, keepTeam, matesOfAccount } from '../db/teammates.ts';
import { askForPublication } from './website-checkpoints.ts';

/** A website by its own id, or the newest of a task. */
export interface WebsiteKey {
  accountId: string;
  websiteId: string | null;
  taskId: string | null;
}

/** `websites` */
export const websiteRow = tableCodec('websites', {
  account_id: text,
  id: text,
  space: text,
  title: text,
  visibility: oneOf<SiteVisibility>(),
  publish_status: oneOf<PublishStatus>(),
  published_version: nullable(text),
  status_updated_at: integer,
});
/** `website_versions` */
export const websiteVersionRow = tableCodec('website_versions', {
  account_id: text,
  website_id: text,
  version_id: text,
  message: text,
  blob_id: text,
  index_at: integer,
  bytes: integer,
  created_at: integer,
});

const { read: readWebsite, columns } = websiteRow;
export type WebsiteRecord = ReturnType<typeof readWebsite>;

const checkpoint = websiteVersionRow.pick('version_id, message, created_at');
export type Checkpoint = ReturnType<typeof checkpoint.read>;

/** The fault for a missing site. A site that the caller must not know of gets the same one. */
export function websiteNotFound(): Fault {
  return new Fault('not_found', 'website not found');
}

/** A site that a member of one of the account's teams shares with that team, or null. */
function* findTeamWebsite({ accountId, websiteId, taskId }: WebsiteKey): Script<WebsiteRecord | null> {
  const where = websiteId === null ? 'w.task_id = ?' : 'w.id = ?';
  const row = yield* selectFirst(
    `SELECT ${websiteRow.columnsOf('w')} FROM websites w
     WHERE w.account_id IN ${matesOfAccount} AND ${where} AND w.visibility = 'team'
       AND w.account_id <> ? AND ${areTeammates('?', 'w')} ORDER BY w.id DESC LIMIT 1`,
    ...[accountId, accountId, accountId, accountId],
    ...[websiteId ?? taskId, accountId, accountId],
  );
  return row ? readWebsite(row) : null;
}

/** The account's own site. Throws 404 for one that the caller must not know of, 403 for one that is read-only. */
function* findWebsite(key: WebsiteKey, lock = ''): Script<WebsiteRecord> {
  const { accountId, websiteId, taskId } = key;
  const where = websiteId === null ? 'task_id = ?' : 'id = ?';
  const row = yield* selectFirst(
    `SELECT ${columns} FROM websites WHERE account_id = ? AND ${where} ORDER BY id DESC LIMIT 1${lock}`,
    accountId,
    websiteId ?? taskId,
  );
  if (row) return readWebsite(row);
  if (!(yield* findTeamWebsite(key))) throw websiteNotFound();
  throw new Fault('permission_denied', 'This website is shared with your team; only its owner can change it.');
}

/** Finds a website that the caller may change. */
export const getWebsite: StoreOperation<WebsiteKey, WebsiteRecord> = {
  name: 'websites.get',
  access: 'read',
  run: (key) => findWebsite(key),
};

function* findReadableWebsite(key: WebsiteKey): Script<WebsiteRecord> {
  try {
    return yield* findWebsite(key);
  } catch (error) {
    const shown = error instanceof Fault && error.code === 'permission_denied' ? yield* findTeamWebsite(key) : null;
    if (!shown) throw error;
    return shown;
  }
}

/** Finds a website that the caller may read: the account's own, or one that its team may see. */
export const getReadableWebsite: StoreOperation<WebsiteKey, WebsiteRecord> = {
  name: 'websites.getReadable',
  access: 'read',
  run: (key) => findReadableWebsite(key),
};

/** More than an agent makes; a list of them is not paged (docs/reference/wire-format.md#websites). */
const maxCheckpoints = 1000;

/** Newest first. */
export const listCheckpoints: StoreOperation<WebsiteKey, { website: WebsiteRecord; checkpoints: Checkpoint[] }> = {
  name: 'websites.listCheckpoints',
  access: 'read',
  *run(key) {
    const website = yield* findReadableWebsite(key);
    const rows = yield* selectAll(
      `SELECT ${checkpoint.columns} FROM website_versions WHERE account_id = ? AND website_id = ? ORDER BY number DESC LIMIT ?`,
      website.accountId,
      website.id,
      maxCheckpoints,
    );
    return { website, checkpoints: rows.map(checkpoint.read) };
  },
};

/** Whether there is a team that a website would be shared with: its own one, or the current one of its owner. */
export const hasSharingTeam: StoreOperation<{ accountId: string; websiteId: string }, boolean> = {
  name: 'websites.hasSharingTeam',
  access: 'read',
  *run({ accountId, websiteId }) {
    const row = yield* selectFirst(
      `SELECT w.id FROM websites w WHERE w.account_id = ? AND w.id = ?
       AND (${isMember('w.account_id', 'w.team_id')} OR EXISTS (SELECT 1 FROM team_members m WHERE m.account_id = w.account_id))`,
      accountId,
      websiteId,
    );
    return row !== undefined;
  },
};

export interface PublishArgs {
  accountId: string;
  websiteId: string;
  /** Null leaves it as it is. */
  visibility: SiteVisibility | null;
  now: number;
}

/** Requests publication of the newest checkpoint; a worker performs it. */
export const publishWebsite: StoreOperation<PublishArgs, { websiteId: string; versionId: string }> = {
  name: 'websites.publish',
  access: 'write',
  keys: ({ websiteId }) => [websiteId],
  *run({ visibility, now, ...key }) {
    const { accountId, id } = yield* findWebsite({ ...key, taskId: null }, ' FOR UPDATE');
    const newest = yield* selectFirst(
      'SELECT version_id FROM website_versions WHERE account_id = ? AND website_id = ? ORDER BY number DESC LIMIT 1',
      accountId,
      id,
    );
    if (!newest) throw new Fault('failed_precondition', 'The website has no checkpoint to publish.');
    const versionId = websiteVersionRow.version_id(newest);
    yield [askForPublication({ accountId, websiteId: id }, { versionId, visibility, now })];
    return { websiteId: id, versionId };
  },
  announce: () => [{ topic: 'library' }],
};

export interface UpdateWebsiteArgs {
  accountId: string;
  websiteId: string;
  /** Null leaves it unchanged. */
  title: string | null;
  visibility: SiteVisibility | null;
  now: number;
}

/** A new title is also the name of the artifact. */
export const updateWebsite: StoreOperation<UpdateWebsiteArgs, { websiteId: string }> = {
  name: 'websites.update',
  access: 'write',
  keys: ({ websiteId }) => [websiteId],
  *run({ title, visibility, now, ...key }) {
    const website = yield* findWebsite({ ...key, taskId: null }, ' FOR UPDATE');
    const { accountId, id } = website;
    yield [
      sql(
        `UPDATE websites SET title = ?, visibility = ?${visibility === 'team' ? `, ${keepTeam('websites')}` : ''}
         WHERE account_id = ? AND id = ?`,
        title ?? website.title,
        visibility ?? website.visibility,
        accountId,
        id,
      ),
    ];
    if (title === null) return { websiteId: id };
    yield [
      sql(
        `UPDATE artifacts SET filename = ?, display_name = ?, search_text = ?, updated_at = ? WHERE account_id = ? AND id = ?`,
        title,
        title,
        searchTextOf(title, title),
        now,
        accountId,
        id,
      ),
    ];
    return { websiteId: id };
  },
};
