import { type ArtifactRecord, artifactColumns, readArtifact } from './artifact-record.ts';
import type { ArtifactType } from '../../rules/artifacts/artifact-type.ts';
import { containing } from '../db/like.ts';
import { type StoreOperation, type Script, selectAll, selectOne, type SqlValue } from '../db/store-operation.ts';
import { computedCodec, integer, nullable, text } from '../db/row-codec.ts';

/** Filters of a list of artifacts; those that are not null must all match. */
export interface ArtifactFilter {
  accountId: string;
  type: ArtifactType | null;
  taskId: string | null;
  oauthClientId: string | null;
  apiKeyId: string | null;
  /** Part of the display name or filename, in lower case. */
  name: string | null;
  /** Only favorites. */
  isFavorite: boolean;
}

export interface ArtifactPage {
  items: ArtifactRecord[];
  /** The id after which the next page starts, null at the end of the list. */
  position: string | null;
}

/**
 * Maximum number of artifacts scanned for one page of a list that no single index serves: a search, or two filters at once. The page
 * contains the matches found by then, possibly none, so the cost of a page is independent of the number of artifacts.
 */
const scanBudget = 5000;

interface Condition {
  sql: string;
  value: SqlValue;
}

/** The index to scan, with the condition it serves, and the conditions that remain to be checked for each row. */
interface Walk {
  index: string | null;
  along: Condition[];
  residue: Condition[];
}

function planWalk({ accountId, type, taskId, oauthClientId, apiKeyId, name, isFavorite }: ArtifactFilter): Walk {
  // Most selective first: a task has few artifacts, a category many.
  const indexed = [
    { index: 'artifacts_by_task', sql: 'a.task_id = ?', value: taskId },
    { index: 'artifacts_by_key', sql: 'a.api_key_id = ?', value: apiKeyId },
    { index: 'artifacts_by_client', sql: 'a.oauth_client_id = ?', value: oauthClientId },
    { index: 'artifacts_by_type', sql: 'a.type = ?', value: type },
  ].filter(({ value }) => value !== null);
  const [walked, ...others] = indexed;
  const search = name === null ? [] : [{ sql: String.raw`a.search_text LIKE ? ESCAPE '\'`, value: containing(name) }];
  const marked = isFavorite ? [{ sql: 'a.favorite = ?', value: 1 }] : [];
  const account = { sql: 'a.account_id = ?', value: accountId };
  return {
    index: walked?.index ?? null,
    along: walked ? [account, walked] : [account],
    residue: [...others, ...marked, ...search],
  };
}

const boundRow = computedCodec('the bound of a scan', { bound: nullable(text), seen: integer });

function whereOf(conditions: readonly Condition[]): { where: string; params: SqlValue[] } {
  return { where: conditions.map(({ sql }) => sql).join(' AND '), params: conditions.map(({ value }) => value) };
}

/** Where the scan of one page has to stop; null if the list ends earlier. */
function* findBound(index: string, range: readonly Condition[]): Script<string | null> {
  const { where, params } = whereOf(range);
  const row = yield* selectOne(
    `SELECT MIN(s.id) AS bound, COUNT(*) AS seen
     FROM (SELECT a.id FROM artifacts a${index} WHERE ${where} ORDER BY a.id DESC LIMIT ?) AS s`,
    ...params,
    scanBudget,
  );
  return boundRow.seen(row) === scanBudget ? boundRow.bound(row) : null;
}

/** Part of an operation: the artifacts after `afterId` in list order, newest first. */
export function* readArtifactPage(filter: ArtifactFilter, afterId: string | null, limit: number): Script<ArtifactPage> {
  const { index, along, residue } = planWalk(filter);
  const by = index === null ? '' : ` INDEXED BY ${index}`;
  const range = afterId === null ? along : [...along, { sql: 'a.id < ?', value: afterId }];
  const bound = residue.length === 0 ? null : yield* findBound(by, range);
  const { where, params } = whereOf([...range, ...(bound === null ? [] : [{ sql: 'a.id >= ?', value: bound }]), ...residue]);
  const rows = yield* selectAll(
    `SELECT ${artifactColumns} FROM artifacts a${by} WHERE ${where} ORDER BY a.id DESC LIMIT ?`,
    ...params,
    limit + 1,
  );
  const items = rows.slice(0, limit).map(readArtifact);
  return { items, position: rows.length > limit ? (items.at(-1)?.id ?? null) : bound };
}

/** The first page of a list. Keyset pagination and a bounded scan: the cost does not grow with the library. */
export const listArtifacts: StoreOperation<{ filter: ArtifactFilter; limit: number }, ArtifactPage> = {
  name: 'artifacts.list',
  access: 'read',
  scans: ({ filter }) => (planWalk(filter).residue.length > 0 ? filter.accountId : null),
  run: ({ filter, limit }) => readArtifactPage(filter, null, limit),
};
