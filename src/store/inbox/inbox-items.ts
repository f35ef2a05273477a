import { afterEveryId } from '@errand/base/ids.ts';
import { type InboxType, readInboxEvent } from '../../rules/inbox/inbox-item.ts';
import { computedCodec, integer, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { accountRow, taskRow, teamMemberRow } from '../db/shared-rows.ts';
import {
  marks,
  type Row,
  type Script,
  selectAll,
  selectFirst,
  type SqlValue,
  type Statement,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';
import { readEvent } from '../events/events.ts';
import { areTeammates, membersOfTeam, teamOf } from '../db/teammates.ts';

/** Something that waits for a person, or that one has decided. */
export interface InboxItem {
  /** The account that owns the task. */
  accountId: string;
  taskId: string;
  seq: number;
  taskTitle: string;
  type: InboxType;
  text: string;
  inputSchema: Record<string, unknown> | null;
  createdAtMs: number;
  /** When a time limit decides it; null if it waits as long as it takes. */
  expiresAtMs: number | null;
  assignee: string | null;
  decision: InboxDecision | null;
}

export interface InboxDecision {
  accept: boolean | null;
  answer: string | null;
  note: string | null;
  decidedBy: string;
  /** The account of the credential that decided; null for decisions by versions that did not store it. */
  deciderAccountId: string | null;
  /** The name of the credential at that time; null for one without a name. */
  deciderName: string | null;
  decidedAtMs: number;
}

const itemRow = computedCodec('inbox.list', { assignee: nullable(text) });

/** `inbox_decisions` */
const decisionRow = tableCodec('inbox_decisions', {
  account_id: text,
  task_id: text,
  seq: integer,
  type: oneOf<InboxType>(),
  text,
  created_at: integer,
  accept: nullable(integer),
  answer: nullable(text),
  note: nullable(text),
  decided_by: text,
  decided_at: integer,
  decider_account_id: nullable(text),
  decider_name: nullable(text),
});
const decided = decisionRow.pick('account_id, task_id, seq, type, text, created_at');

export interface ListInboxArgs {
  accountId: string;
  type: InboxType | null;
  /** Exclusive: returns items of older tasks. */
  beforeTaskId: string | null;
  limit: number;
}

/** The status of tasks with items, and the event that each of these waits at. */
const sources = { waiting: 'waiting', error: 'error' } as const;

/** Whose items are listed: those of these accounts whose task `t` and assignment `a` meet a condition. */
interface Share {
  accounts: readonly string[];
  where: string;
  params: readonly string[];
}

/** Open items by task, newest first. */
function selectOpen(status: keyof typeof sources, { accounts, where, params }: Share, before: string, limit: number): Statement {
  return sql(
    `SELECT t.account_id, t.id, t.title, e.seq, e.at, e.type, e.body, COALESCE(a.assignee, t.assignee) AS assignee,
       t.decision_due_at FROM tasks t INDEXED BY tasks_by_status
     JOIN events e ON e.account_id = t.account_id AND e.task_id = t.id AND e.seq = (SELECT o.seq FROM events o
       WHERE o.account_id = t.account_id AND o.task_id = t.id AND o.audience = 1 AND o.type = ? ORDER BY o.seq DESC LIMIT 1)
     LEFT JOIN inbox_decisions d ON d.account_id = t.account_id AND d.task_id = t.id AND d.seq = e.seq
     LEFT JOIN inbox_assignments a ON a.account_id = t.account_id AND a.task_id = t.id AND a.seq = e.seq
     WHERE t.account_id IN (${marks(accounts.length)}) AND t.status = ? AND t.status <> 'stopped' AND t.parent_id IS NULL
       AND t.id < ? ${where} AND d.seq IS NULL ORDER BY t.id DESC LIMIT ?`,
    sources[status],
    ...accounts,
    status,
    before,
    ...params,
    limit,
  );
}

function readOpen(row: Row): InboxItem[] {
  const { seq, atMs, event } = readEvent(row);
  const found = readInboxEvent(event);
  const about = { accountId: taskRow.account_id(row), taskId: taskRow.id(row), taskTitle: taskRow.title(row) };
  const expiresAtMs = taskRow.decision_due_at(row);
  const open = { seq, createdAtMs: atMs, expiresAtMs, assignee: itemRow.assignee(row), decision: null };
  return found ? [{ ...about, ...found, ...open }] : [];
}

/** What the other members of the account's current team share with it; null if there are none. */
function* findTeamShare(accountId: string): Script<Share | null> {
  const own = yield* selectFirst('SELECT team_id FROM team_members WHERE account_id = ?', accountId);
  if (!own) return null;
  const teamId = teamMemberRow.team_id(own);
  const accounts = yield* findMates(membersOfTeam, [teamId, teamId], accountId);
  return accounts.length === 0
    ? null
    : { accounts, where: `AND t.share_visibility = 'team' AND ${teamOf('t')} = ?`, params: [teamId] };
}

const otherTeams = '(SELECT m.team_id FROM other_memberships m WHERE m.account_id = ?)';
const matesInOtherTeams = `(SELECT c.account_id FROM team_members c WHERE c.team_id IN ${otherTeams}
  UNION ALL SELECT o.account_id FROM other_memberships o WHERE o.team_id IN ${otherTeams})`;

/** What members of the account's teams that are not current have assigned to it; null if there are no members. */
function* findAssignedShare(accountId: string): Script<Share | null> {
  const accounts = yield* findMates(matesInOtherTeams, [accountId, accountId], accountId);
  const where = `AND t.share_visibility = 'team' AND COALESCE(a.assignee, t.assignee) = ? AND ${teamOf('t')} IN ${otherTeams}
    AND ${areTeammates('?', 't')}`;
  return accounts.length === 0 ? null : { accounts, where, params: [accountId, accountId, accountId] };
}

/** The accounts of a list, without this one. */
function* findMates(list: string, params: readonly string[], accountId: string): Script<string[]> {
  const rows = yield* selectAll(`SELECT account_id FROM accounts WHERE account_id IN ${list}`, ...params);
  return rows.map(accountRow.account_id).filter((id) => id !== accountId);
}

/**
 * What waits for a person, by task, newest first: in the account's own tasks, in those that its current team shares, and what is assigned to
 * it in its other teams.
 */
export const listOpenItems: StoreOperation<ListInboxArgs, InboxItem[]> = {
  name: 'inbox.listOpen',
  access: 'read',
  *run({ accountId, type, beforeTaskId, limit }) {
    const others = [yield* findTeamShare(accountId), yield* findAssignedShare(accountId)];
    const shares = [{ accounts: [accountId], where: '', params: [] }, ...others.filter((share) => share !== null)];
    const statuses = (['waiting', 'error'] as const).filter(
      (each) => type === null || (type === 'failure') === (each === 'error'),
    );
    const items: InboxItem[] = [];
    let before = beforeTaskId ?? afterEveryId;
    for (;;) {
      const pages = yield statuses.flatMap((status) => shares.map((share) => selectOpen(status, share, before, limit)));
      const merged = pages
        .flat()
        .toSorted((a, b) => (taskRow.id(a) < taskRow.id(b) ? 1 : -1))
        .slice(0, limit);
      items.push(...merged.flatMap(readOpen).filter((item) => type === null || item.type === type));
      const last = merged.at(-1);
      if (merged.length < limit || items.length >= limit || !last) return items.slice(0, limit);
      before = taskRow.id(last);
    }
  },
};

/** What was decided about the account's own tasks, by task, newest first. */
export const listDecidedItems: StoreOperation<ListInboxArgs & { beforeSeq: number | null }, InboxItem[]> = {
  name: 'inbox.listDecided',
  access: 'read',
  scans: ({ accountId, type }) => (type === null ? null : accountId),
  *run({ accountId, type, beforeTaskId, beforeSeq, limit }) {
    const params: SqlValue[] = [accountId, beforeTaskId ?? afterEveryId, beforeTaskId ?? afterEveryId, beforeSeq ?? 0];
    const rows = yield* selectAll(
      `SELECT d.account_id, d.task_id, d.seq, d.type, d.text, d.created_at, d.accept, d.answer, d.note, d.decided_by, d.decided_at,
         d.decider_account_id, d.decider_name, t.title, a.assignee
       FROM inbox_decisions d JOIN tasks t ON t.account_id = d.account_id AND t.id = d.task_id
       LEFT JOIN inbox_assignments a ON a.account_id = d.account_id AND a.task_id = d.task_id AND a.seq = d.seq
       WHERE d.account_id = ? AND d.task_id <= ? AND (d.task_id < ? OR d.seq < ?) ${type === null ? '' : 'AND d.type = ?'}
       ORDER BY d.task_id DESC, d.seq DESC LIMIT ?`,
      ...params,
      ...(type === null ? [] : [type]),
      limit,
    );
    return rows.map((row) => {
      const accept = decisionRow.accept(row);
      const decision = {
        accept: accept === null ? null : accept === 1,
        answer: decisionRow.answer(row),
        note: decisionRow.note(row),
        decidedBy: decisionRow.decided_by(row),
        decidedAtMs: decisionRow.decided_at(row),
        deciderAccountId: decisionRow.decider_account_id(row),
        deciderName: decisionRow.decider_name(row),
      };
      return {
        ...decided.read(row),
        taskTitle: taskRow.title(row),
        inputSchema: null,
        expiresAtMs: null,
        assignee: itemRow.assignee(row),
        decision,
      };
    });
  },
};
