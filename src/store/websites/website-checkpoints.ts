import type { SiteCheckpoint } from '../../rules/events/task-event.ts';
import type { SiteVisibility } from '../../rules/websites/site.ts';
import { type Statement, sql } from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import { keepTeam } from '../db/teammates.ts';

/** What is published for whom. */
interface Publication {
  versionId: string;
  /** Null leaves it as it is, and with it the team that the site belongs to. */
  visibility: SiteVisibility | null;
  now: number;
}

/** Requests publication of a checkpoint; a worker performs it. */
export function askForPublication(
  { accountId, websiteId }: { accountId: string; websiteId: string },
  { versionId, visibility, now }: Publication,
): Statement {
  return sql(
    `UPDATE websites SET visibility = COALESCE(?, visibility), publish_status = 'publishing', publishing_version = ?, publish_due_at = errand_now(),
     status_updated_at = ?${visibility === 'team' ? `, ${keepTeam('websites')}` : ''} WHERE account_id = ? AND id = ?`,
    ...[visibility, versionId, now, accountId, websiteId],
  );
}

/** Part of an append: a checkpoint, and the site itself with its first one. */
export function storeCheckpoint({ accountId, taskId }: TaskKey, site: SiteCheckpoint, now: number): Statement[] {
  const { websiteId, space, title, versionId, message, blobId, indexAt, bytes, publishFor: visibility } = site;
  return [
    sql(
      `INSERT INTO websites (account_id, id, task_id, space, title, visibility, publish_status, status_updated_at, created_at, team_id)
       VALUES (?, ?, ?, ?, ?, 'private', 'unpublished', ?, ?, (SELECT t.team_id FROM tasks t WHERE t.account_id = ? AND t.id = ?))
       ON CONFLICT (account_id, id) DO NOTHING`,
      accountId,
      websiteId,
      taskId,
      space,
      title,
      now,
      now,
      accountId,
      taskId,
    ),
    sql(
      `INSERT INTO website_versions (account_id, website_id, number, version_id, message, blob_id, index_at, bytes, created_at)
       VALUES (?, ?, (SELECT COALESCE(MAX(v.number), 0) + 1 FROM website_versions v WHERE v.account_id = ? AND v.website_id = ?),
         ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, website_id, version_id) DO NOTHING`,
      accountId,
      websiteId,
      accountId,
      websiteId,
      versionId,
      message,
      blobId,
      indexAt,
      bytes,
      now,
    ),
    ...(visibility ? [askForPublication({ accountId, websiteId }, { versionId, visibility, now })] : []),
  ];
}
