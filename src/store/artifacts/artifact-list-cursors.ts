import { hash } from 'node:crypto';
import {
  absoluteTtlMs,
  dropShown,
  idleTtlMs,
  type ServedPage,
  savePage,
  maxListCursors,
  openListCursor,
  planPage,
  type ListCursor,
} from '../../rules/artifacts/artifact-list-cursor.ts';
import { type ArtifactFilter, type ArtifactPage, readArtifactPage } from './artifact-list.ts';
import { type ArtifactRecord, artifactColumns, readArtifact } from './artifact-record.ts';
import {
  deleteSome,
  marks,
  type StoreOperation,
  padToPowerOfTwo,
  type Script,
  selectAll,
  selectFirst,
  selectOne,
  sql,
} from '../db/store-operation.ts';
import { integer, json, tableCodec, text } from '../db/row-codec.ts';
import { countRow } from '../db/shared-rows.ts';

const listCursorRow = tableCodec('traversals', { id: text, state: json<ListCursor>(), uses: integer });

function digestResource(resourceUri: string): string {
  return hash('sha256', resourceUri, 'base64url').slice(0, 16);
}

export interface BeginArgs {
  accountId: string;
  listCursorId: string;
  query: string;
  now: number;
  /** The first page, as returned by `artifacts.list`. */
  page: ArtifactPage;
}

const nextUse = '(SELECT COALESCE(MAX(u.uses), 0) + 1 FROM traversals u WHERE u.account_id = ?)';

/** Deletes expired cursors, and the least recently used ones over the limit. */
function* evict(accountId: string, now: number): Script<void> {
  yield [
    sql('DELETE FROM traversals WHERE account_id = ? AND used_at <= ?', accountId, now - idleTtlMs),
    sql('DELETE FROM traversals WHERE account_id = ? AND started_at <= ?', accountId, now - absoluteTtlMs),
  ];
  const rows = yield* selectAll(
    'SELECT id FROM traversals WHERE account_id = ? ORDER BY uses DESC, id DESC LIMIT ?',
    accountId,
    2 * maxListCursors,
  );
  const surplus = rows.slice(maxListCursors);
  if (surplus.length === 0) return;
  yield surplus.map((row) => sql('DELETE FROM traversals WHERE account_id = ? AND id = ?', accountId, listCursorRow.id(row)));
}

/** Stores the cursor of a list with further pages. An item returned on the first page is not repeated. */
export const createListCursor: StoreOperation<BeginArgs, { items: ArtifactRecord[] }> = {
  name: 'listCursors.create',
  access: 'write',
  keys: ({ listCursorId }) => [listCursorId],
  *run({ accountId, listCursorId, query, now, page }) {
    const { items, resources } = dropShown(page.items, [], digestResource);
    const kept = { ids: items.map(({ id }) => id), position: page.position };
    const state = JSON.stringify(openListCursor(query, now, kept, resources));
    yield [
      sql(
        `INSERT INTO traversals (account_id, id, state, started_at, used_at, uses) VALUES (?, ?, ?, ?, ?, ${nextUse})`,
        accountId,
        listCursorId,
        state,
        now,
        now,
        accountId,
      ),
    ];
    yield* evict(accountId, now);
    return { items };
  },
};

/** The list cursor with its row locked, or null if it is unknown or was dropped. */
function* lockListCursor(accountId: string, id: string, now: number): Script<ListCursor | null> {
  const row = yield* selectFirst('SELECT state, uses FROM traversals WHERE account_id = ? AND id = ? FOR UPDATE', accountId, id);
  if (!row) return null;
  // Cursors opened concurrently do not see each other, so the rank decides, not what has been deleted so far.
  const uses = listCursorRow.uses(row);
  const newer = yield* selectOne(
    `SELECT COUNT(*) AS count FROM (SELECT id FROM traversals
     WHERE account_id = ? AND uses >= ? AND (uses > ? OR id > ?) AND started_at > ? LIMIT ?) AS s`,
    accountId,
    uses,
    uses,
    id,
    now - absoluteTtlMs,
    maxListCursors,
  );
  return countRow.count(newer) < maxListCursors ? listCursorRow.state(row) : null;
}

/** The items of a page that still exist, in order. */
function* readAgain(accountId: string, ids: readonly string[]): Script<ArtifactRecord[]> {
  if (ids.length === 0) return [];
  const padded = padToPowerOfTwo(ids);
  const rows = yield* selectAll(
    `SELECT ${artifactColumns} FROM artifacts a WHERE a.account_id = ? AND a.id IN (${marks(padded.length)})`,
    accountId,
    ...padded,
  );
  return rows.map(readArtifact).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

export interface TurnArgs {
  filter: ArtifactFilter;
  limit: number;
  listCursorId: string;
  query: string;
  /** Number of the page that the cursor refers to. */
  number: number;
  now: number;
}

export type TurnResult =
  | { outcome: 'turned'; items: ArtifactRecord[]; hasMore: boolean }
  | { outcome: 'refused'; why: 'unknown' | 'expired' | 'gone' | 'exceeded' };

function* producePage({ filter, limit }: TurnArgs, { shownResources }: ListCursor, number: number, position: string) {
  const { items: found, position: next }: ArtifactPage = yield* readArtifactPage(filter, position, limit);
  const { items, resources } = dropShown(found, shownResources, digestResource);
  return { items, resources, page: { number, ids: items.map(({ id }) => id), position: next } };
}

function* replayPage(accountId: string, kept: ServedPage) {
  const items: ArtifactRecord[] = yield* readAgain(accountId, kept.ids);
  return { items, resources: [], page: { ...kept, ids: items.map(({ id }) => id) } };
}

/** Returns the page of a cursor: a new one, or one of the newest again. All in one write, so that it happens once. */
export const turnPage: StoreOperation<TurnArgs, TurnResult> = {
  name: 'listCursors.turn',
  access: 'write',
  keys: ({ listCursorId }) => [listCursorId],
  *run(args) {
    const { listCursorId, query, number, now } = args;
    const { accountId } = args.filter;
    const listCursor = yield* lockListCursor(accountId, listCursorId, now);
    const step = planPage(listCursor, query, number, now);
    if (step.do === 'refuse' || !listCursor) return { outcome: 'refused', why: step.do === 'refuse' ? step.why : 'unknown' };
    const { items, resources, page } =
      step.do === 'replay'
        ? yield* replayPage(accountId, step.page)
        : yield* producePage(args, listCursor, step.number, step.position);
    const state = JSON.stringify(savePage(listCursor, page, resources, now));
    yield [
      sql(
        `UPDATE traversals SET state = ?, used_at = ?, uses = ${nextUse} WHERE account_id = ? AND id = ?`,
        state,
        now,
        accountId,
        accountId,
        listCursorId,
      ),
    ];
    return { outcome: 'turned', items, hasMore: page.position !== null };
  },
};

/** Deletes list cursors that can no longer be continued, at most `limit`; returns their number. */
export const deleteExpiredListCursors: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'listCursors.deleteExpired',
  access: 'exclusive',
  *run({ now, limit }) {
    const from = { table: 'traversals', key: 'account_id, id', where: 'used_at <= ?', limit };
    return yield* deleteSome(from, now - idleTtlMs);
  },
};
