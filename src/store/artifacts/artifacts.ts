import { searchTextOf } from '../../rules/artifacts/search-text.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Hint } from '@errand/base/signals/hints.ts';
import { type ArtifactFileType, classifyArtifact, extensionOf } from '../../rules/artifacts/artifact-type.ts';
import { canBeCovered } from '../../rules/artifacts/cover.ts';
import type { Attachment, DeliveredFile, SiteCheckpoint, TaskEvent } from '../../rules/events/task-event.ts';
import { type ArtifactRecord, artifactColumns, readArtifact } from './artifact-record.ts';
import {
  marks,
  type StoreOperation,
  type Row,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type SqlValue,
  type Statement,
} from '../db/store-operation.ts';
import type { TaskKey } from '../events/task-key.ts';
import { storeCheckpoint } from '../websites/website-checkpoints.ts';

/** Set by every version. A name given by the user stays unless the agent gives the file another one. */
const versionColumns = [
  'type',
  'file_type',
  'extension',
  'filename',
  'attachment',
  'platform_type',
  'cover_due_at',
  'cover_tries',
  'updated_at',
];

/** An artifact in an append. */
interface Made {
  id: string;
  /** Path of the file in the workspace. */
  path: string;
  fileType: ArtifactFileType;
  extension: string | null;
  filename: string;
  displayName: string;
  attachment: Attachment | null;
  platformType: string | null;
  /** Whether the agent gives it another name than before; undefined for new ones. */
  isRenamed?: boolean | undefined;
}

function readDelivery({ artifactId, path, displayName, attachment, isRenamed }: DeliveredFile): Made {
  const { filename, kind } = attachment;
  const fileType = kind === 'slides' ? 'slides' : 'file';
  const extension = extensionOf(filename);
  return { id: artifactId, path, fileType, extension, filename, displayName, attachment, platformType: null, isRenamed };
}

/** A site is indexed by its platform in place of an extension. */
function readSite({ websiteId, folder, title, platform }: SiteCheckpoint): Made {
  const common = { extension: platform, filename: title, displayName: title, attachment: null, platformType: platform };
  return { id: websiteId, path: folder, fileType: 'webdev', ...common };
}

/** A new artifact, or a newer version of the one with the same path; it inherits its task's API key or application. */
function storeMade({ accountId, taskId }: TaskKey, made: Made, now: number): Statement {
  const { displayName, filename, fileType, extension, attachment } = made;
  const values: Record<string, SqlValue> = {
    account_id: accountId,
    id: made.id,
    task_id: taskId,
    path: made.path,
    version: 1,
    type: classifyArtifact(fileType, extension),
    file_type: fileType,
    extension,
    filename,
    display_name: displayName,
    search_text: searchTextOf(displayName, filename),
    favorite: 0,
    attachment: attachment && JSON.stringify(attachment),
    platform_type: made.platformType,
    cover: null,
    cover_tries: 0,
    created_at: now,
    updated_at: now,
  };
  const names = Object.keys(values);
  const origin = (column: string) => `(SELECT t.${column} FROM tasks t WHERE t.account_id = ? AND t.id = ?)`;
  const isCovered = attachment ? canBeCovered(attachment) : fileType === 'webdev';
  const coverDue = isCovered ? 'errand_now()' : 'NULL';
  const isNamed = fileType !== 'webdev' && (made.isRenamed ?? displayName !== filename);
  const renewed = [...versionColumns, ...(isNamed ? ['display_name', 'search_text'] : [])];
  return sql(
    `INSERT INTO artifacts (${names.join(', ')}, cover_due_at, api_key_id, oauth_client_id)
     VALUES (${marks(names.length)}, ${coverDue}, ${origin('api_key_id')}, ${origin('oauth_client_id')})
     ON CONFLICT (account_id, task_id, path) DO UPDATE SET version = artifacts.version + 1,
     ${renewed.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    ...Object.values(values),
    accountId,
    taskId,
    accountId,
    taskId,
  );
}

/** Part of an append: adds the artifacts delivered by its events to the library in the same write. */
export function storeDeliveries(task: TaskKey, events: readonly TaskEvent[], now: number): Statement[] {
  return events.flatMap((event) => {
    if (event.type === 'file_delivered') return [storeMade(task, readDelivery(event), now)];
    return event.type === 'site_made' ? [storeMade(task, readSite(event), now), ...storeCheckpoint(task, event, now)] : [];
  });
}

/** Wakes the workers that make covers when something was delivered. */
export function announceLibrary(events: readonly TaskEvent[]): Hint[] {
  return events.some(({ type }) => type === 'file_delivered' || type === 'site_made') ? [{ topic: 'library' }] : [];
}

/** Part of deleting a task. */
export function deleteArtifacts({ accountId, taskId }: TaskKey): Statement[] {
  return [
    sql(
      `DELETE FROM website_versions WHERE account_id = ? AND website_id IN
         (SELECT w.id FROM websites w WHERE w.account_id = ? AND w.task_id = ?)`,
      accountId,
      accountId,
      taskId,
    ),
    sql('DELETE FROM websites WHERE account_id = ? AND task_id = ?', accountId, taskId),
    // SQLite would read all artifacts of the account.
    sql('DELETE FROM artifacts INDEXED BY artifacts_by_task WHERE account_id = ? AND task_id = ?', accountId, taskId),
  ];
}

/** Key of an artifact, and the rights that restrict the search. */
export interface ArtifactKey {
  accountId: string;
  artifactId: string;
  /** Finds it only if a task of this application made it; null finds any of the account's. */
  onlyClientId: string | null;
}

function matchArtifact({ accountId, artifactId, onlyClientId }: ArtifactKey): { where: string; params: SqlValue[] } {
  const where = 'a.account_id = ? AND a.id = ?';
  if (onlyClientId === null) return { where, params: [accountId, artifactId] };
  return { where: `${where} AND a.oauth_client_id = ?`, params: [accountId, artifactId, onlyClientId] };
}

function* findArtifact(key: ArtifactKey, lock = ''): Script<Row> {
  const { where, params } = matchArtifact(key);
  const row = yield* selectFirst(`SELECT ${artifactColumns} FROM artifacts a WHERE ${where}${lock}`, ...params);
  if (!row) throw new Fault('not_found', 'artifact not found');
  return row;
}

export const getArtifact: StoreOperation<ArtifactKey, ArtifactRecord> = {
  name: 'artifacts.get',
  access: 'read',
  *run(key) {
    return readArtifact(yield* findArtifact(key));
  },
};

export interface UpdateArtifactArgs extends ArtifactKey {
  now: number;
  /** Null leaves it unchanged. */
  isFavorite: boolean | null;
  displayName: string | null;
}

/** The task of a renamed artifact has a new word to search for. Before the artifact is locked: tasks are locked before what they delivered. */
function markRenamed({ accountId, artifactId }: ArtifactKey): Statement {
  return sql(
    `UPDATE tasks SET search_due_at = errand_now()
     WHERE account_id = ? AND id = (SELECT a.task_id FROM artifacts a WHERE a.account_id = ? AND a.id = ?)`,
    accountId,
    accountId,
    artifactId,
  );
}

/** Sets what users can change: the name and whether it is a favorite. The category stays. */
export const updateArtifact: StoreOperation<UpdateArtifactArgs, ArtifactRecord> = {
  name: 'artifacts.update',
  access: 'write',
  keys: ({ artifactId }) => [artifactId],
  *run({ now, isFavorite, displayName, ...key }) {
    if (displayName !== null) yield [markRenamed(key)];
    const found = readArtifact(yield* findArtifact(key, ' FOR UPDATE OF a'));
    const name = displayName ?? found.displayName;
    yield* selectAll(
      `UPDATE artifacts SET favorite = ?, display_name = ?, search_text = ?, updated_at = ? WHERE account_id = ? AND id = ?
       RETURNING id`,
      Number(isFavorite ?? found.isFavorite),
      name,
      searchTextOf(name, found.filename),
      now,
      key.accountId,
      key.artifactId,
    );
    return { ...found, displayName: name, isFavorite: isFavorite ?? found.isFavorite };
  },
};
