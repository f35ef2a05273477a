import { hash } from 'node:crypto';
import {
  absoluteTtlMs,
  dropShown,
  idleTtlMs,
  type KeptPage,
  keepPage,
  keptTraversals,
  openTraversal,
  planPage,
  type Traversal,
} from '../../rules/artifacts/artifact-list-cursor.ts';
import { type ArtifactFilter, type ArtifactPage, readArtifactPage } from './artifact-list.ts';
import { type ArtifactRecord, artifactColumns, readArtifact } from './artifact-record.ts';
import { type Operation, padToPowerOfTwo, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';

function digestResource(resourceUri: string): string {
  return hash('sha256', resourceUri, 'base64url').slice(0, 16);
}

export interface BeginArgs {
  accountId: string;
  traversalId: string;
  query: string;
  now: number;
  /** The first page, as `artifacts.list` gave it. */
  page: ArtifactPage;
}

const nextUse = '(SELECT COALESCE(MAX(u.uses), 0) + 1 FROM traversals u WHERE u.account_id = ?)';

/** Drops what has expired, and whatever is used the least recently of too many. */
function* evict(accountId: string, now: number): Script<void> {
  yield [
    sql('DELETE FROM traversals WHERE account_id = ? AND used_at <= ?', accountId, now - idleTtlMs),
    sql('DELETE FROM traversals WHERE account_id = ? AND started_at <= ?', accountId, now - absoluteTtlMs),
  ];
  const rows = yield* selectAll(
    'SELECT id FROM traversals WHERE account_id = ? ORDER BY uses DESC, id DESC LIMIT ?',
    accountId,
    2 * keptTraversals,
  );
  const surplus = rows.slice(keptTraversals);
  if (surplus.length === 0) return;
  yield surplus.map(({ id = null }) => sql('DELETE FROM traversals WHERE account_id = ? AND id = ?', accountId, id));
}

/** Remembers a reading that has more pages. What the first page shows of one resource it shows once. */
export const beginTraversal: Operation<BeginArgs, { items: ArtifactRecord[] }> = {
  name: 'traversals.begin',
  access: 'write',
  keys: ({ traversalId }) => [traversalId],
  *run({ accountId, traversalId, query, now, page }) {
    const { items, resources } = dropShown(page.items, [], digestResource);
    const kept = { ids: items.map(({ id }) => id), position: page.position };
    const state = JSON.stringify(openTraversal(query, now, kept, resources));
    yield [
      sql(
        `INSERT INTO traversals (account_id, id, state, started_at, used_at, uses) VALUES (?, ?, ?, ?, ?, ${nextUse})`,
        accountId,
        traversalId,
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

/** The traversal with its lock, or null: unknown, or no longer among those that are kept. */
function* lockTraversal(accountId: string, id: string, now: number): Script<Traversal | null> {
  const row = yield* selectFirst('SELECT state, uses FROM traversals WHERE account_id = ? AND id = ? FOR UPDATE', accountId, id);
  if (!row) return null;
  // Two that are opened at the same moment do not see each other, so the rank is what counts, not what was removed by then.
  const [newer] = yield* selectAll(
    `SELECT COUNT(*) AS count FROM (SELECT id FROM traversals
     WHERE account_id = ? AND uses >= ? AND (uses > ? OR id > ?) AND started_at > ? LIMIT ?) AS s`,
    accountId,
    row.uses ?? null,
    row.uses ?? null,
    id,
    now - absoluteTtlMs,
    keptTraversals,
  );
  return Number(newer?.count) < keptTraversals ? (JSON.parse(String(row.state)) as Traversal) : null;
}

/** Those of a page that are still there, in its order. */
function* readAgain(accountId: string, ids: readonly string[]): Script<ArtifactRecord[]> {
  if (ids.length === 0) return [];
  const padded = padToPowerOfTwo(ids);
  const rows = yield* selectAll(
    `SELECT ${artifactColumns} FROM artifacts a WHERE a.account_id = ? AND a.id IN (${padded.map(() => '?').join(', ')})`,
    accountId,
    ...padded,
  );
  return rows.map(readArtifact).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

export interface TurnArgs {
  filter: ArtifactFilter;
  limit: number;
  traversalId: string;
  query: string;
  /** Which page the cursor asks for. */
  number: number;
  now: number;
}

export type TurnResult =
  | { outcome: 'turned'; items: ArtifactRecord[]; hasMore: boolean }
  | { outcome: 'refused'; why: 'unknown' | 'expired' | 'gone' | 'exceeded' };

function* producePage({ filter, limit }: TurnArgs, { shownResources }: Traversal, number: number, position: string) {
  const { items: found, position: next }: ArtifactPage = yield* readArtifactPage(filter, position, limit);
  const { items, resources } = dropShown(found, shownResources, digestResource);
  return { items, resources, page: { number, ids: items.map(({ id }) => id), position: next } };
}

function* replayPage(accountId: string, kept: KeptPage) {
  const items: ArtifactRecord[] = yield* readAgain(accountId, kept.ids);
  return { items, resources: [], page: { ...kept, ids: items.map(({ id }) => id) } };
}

/** Gives the page that a cursor names: a new one, or one of the newest again. All of it is one write, so that it happens once. */
export const turnPage: Operation<TurnArgs, TurnResult> = {
  name: 'traversals.turn',
  access: 'write',
  keys: ({ traversalId }) => [traversalId],
  *run(args) {
    const { traversalId, query, number, now } = args;
    const { accountId } = args.filter;
    const traversal = yield* lockTraversal(accountId, traversalId, now);
    const step = planPage(traversal, query, number, now);
    if (step.do === 'refuse' || !traversal) return { outcome: 'refused', why: step.do === 'refuse' ? step.why : 'unknown' };
    const { items, resources, page } =
      step.do === 'replay'
        ? yield* replayPage(accountId, step.page)
        : yield* producePage(args, traversal, step.number, step.position);
    const state = JSON.stringify(keepPage(traversal, page, resources, now));
    yield [
      sql(
        `UPDATE traversals SET state = ?, used_at = ?, uses = ${nextUse} WHERE account_id = ? AND id = ?`,
        state,
        now,
        accountId,
        accountId,
        traversalId,
      ),
    ];
    return { outcome: 'turned', items, hasMore: page.position !== null };
  },
};

/** Forgets readings that nobody can go on with, at most `limit`; how many there were. */
export const forgetTraversals: Operation<{ now: number; limit: number }, number> = {
  name: 'traversals.forget',
  access: 'alone',
  *run({ now, limit }) {
    const gone = yield* selectAll(
      `DELETE FROM traversals WHERE (account_id, id) IN
         (SELECT account_id, id FROM traversals WHERE used_at <= ? LIMIT ?) RETURNING id`,
      now - idleTtlMs,
      limit,
    );
    return gone.length;
  },
};
