/** How the people of a product share the slots of its account: the first due task of each, beside the tasks that have waited longest. */
import { quarantineCrashes } from '../../../rules/tasks/crash-blame.ts';
import { taskRow } from '../../db/shared-rows.ts';
import { computedCodec, nullable, text } from '../../db/row-codec.ts';
import { padToPowerOfTwo, placeholders, type Row, type Script, sql, type Statement } from '../../db/store-operation.ts';
import { crashesIfClaimed } from './quarantined-tasks.ts';
import { besidesFull, type Claimant, personLimitOf } from './claim-limits.ts';

/** People looked at in one claim; the next one continues after them. */
export const peoplePerClaim = 200;

/** The first due task of a person. */
interface FirstTask {
  person: string;
  priority: number;
  dueAt: number;
  taskId: string;
}

const firstRow = computedCodec('first tasks of people', { person: text, first: nullable(text) });

/**
 * The first due task of each person after the given one, by id. It steps from person to person in the index of due tasks, however many
 * tasks each has, and sorts as that index does, so that every engine uses it.
 */
function selectFirsts({ accountId, freeSlots }: Claimant, afterPerson: string): Statement {
  const full = besidesFull(freeSlots);
  // The queue of a person without a free slot is not looked through.
  const people = besidesFull(freeSlots, { external_user: 'people.person' });
  const next = (after: string) => `SELECT p.external_user_id FROM tasks p INDEXED BY tasks_due_by_person
    WHERE p.account_id = ? AND p.external_user_id > ${after} AND p.wake_at <= errand_now()
    ORDER BY p.external_user_id, p.priority, p.wake_at LIMIT 1`;
  return sql(
    `WITH RECURSIVE people (person) AS (
       SELECT (${next('?')})
       UNION ALL
       SELECT (${next('people.person')}) FROM people WHERE people.person IS NOT NULL
     )
     SELECT person, (SELECT priority || ' ' || wake_at || ' ' || id FROM tasks INDEXED BY tasks_due_by_person
       WHERE account_id = ? AND external_user_id = people.person AND wake_at <= errand_now() AND ${crashesIfClaimed} < ? ${full.condition}
       ORDER BY priority, wake_at LIMIT 1) AS first
     FROM people WHERE people.person IS NOT NULL ${people.condition} LIMIT ?`,
    ...[accountId, afterPerson, accountId, accountId, quarantineCrashes, ...full.params, ...people.params, peoplePerClaim],
  );
}

/** The first due task that is for nobody, as that of the person ''. */
function selectFirstForNobody({ accountId, freeSlots }: Claimant): Statement {
  const full = besidesFull(freeSlots);
  return sql(
    `SELECT '' AS person, priority || ' ' || wake_at || ' ' || id AS first FROM tasks INDEXED BY tasks_due_for_nobody
     WHERE account_id = ? AND external_user_id IS NULL AND wake_at <= errand_now() AND ${crashesIfClaimed} < ? ${full.condition}
     ORDER BY priority, wake_at LIMIT 1`,
    ...[accountId, quarantineCrashes, ...full.params],
  );
}

function readFirst(row: Row): FirstTask[] {
  const [priority = '', dueAt = '', taskId = ''] = firstRow.first(row)?.split(' ') ?? [];
  return taskId === '' ? [] : [{ person: firstRow.person(row), priority: Number(priority), dueAt: Number(dueAt), taskId }];
}

/** Locks some of these tasks that are still due. */
function lockFirsts({ accountId }: Claimant, taskIds: readonly string[]): Statement {
  const padded = padToPowerOfTwo(taskIds);
  return sql(
    `SELECT account_id, id, crashes, lease_owner, api_key_id, project_id, external_user_id, priority, wake_at, ${personLimitOf('tasks')}
     FROM tasks WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)}) AND wake_at <= errand_now() AND ${crashesIfClaimed} < ?
     FOR UPDATE SKIP LOCKED`,
    ...[accountId, ...padded.flatMap((id) => [accountId, id]), quarantineCrashes],
  );
}

/** An account with more due tasks than the claim has found, whose people share its slots. */
export interface Crowded {
  claimant: Claimant;
  /** The number of tasks wanted from the account. */
  limit: number;
  /** The number of tasks that the worker holds for each person; '' for nobody. */
  held(person: string): number;
  /** The person after whom this claim looks; '' for the beginning. */
  afterPerson: string;
}

/** The first due tasks of an account's people. */
interface Firsts {
  rows: Row[];
  /** The person after whom the next claim looks; '' for the beginning. */
  lastPerson: string;
}

/**
 * Locks the first due tasks of the people who have the fewest tasks, so that a person with a thousand waiting tasks delays nobody else's
 * first. Tasks for nobody take part as those of one more person.
 */
export function* lockFirstOfEach(accounts: readonly Crowded[]): Script<Firsts[]> {
  if (accounts.length === 0) return [];
  const found = yield accounts.flatMap(({ claimant, afterPerson }) => [
    selectFirsts(claimant, afterPerson),
    selectFirstForNobody(claimant),
  ]);
  const chosen = accounts.map(({ limit, held }, index) => {
    return [...(found[2 * index] ?? []), ...(found[2 * index + 1] ?? [])]
      .flatMap(readFirst)
      .map((task) => ({ ...task, held: held(task.person) }))
      .toSorted((one, other) => one.priority - other.priority || one.held - other.held || one.dueAt - other.dueAt)
      .slice(0, limit);
  });
  const asked = accounts.flatMap(({ claimant }, index) => {
    const ids = (chosen[index] ?? []).map(({ taskId }) => taskId);
    return ids.length > 0 ? [{ index, statement: lockFirsts(claimant, ids) }] : [];
  });
  const locked = asked.length > 0 ? yield asked.map(({ statement }) => statement) : [];
  return accounts.map((_, index) => {
    const people = found[2 * index] ?? [];
    const last = people.length === peoplePerClaim ? people.at(-1) : undefined;
    const rows = locked[asked.findIndex((one) => one.index === index)] ?? [];
    return { rows, lastPerson: last ? firstRow.person(last) : '' };
  });
}

/**
 * Due tasks in the order in which they are taken: by priority, then by how few tasks their person has, then by how long they have waited.
 * Tasks for nobody share like those of one person.
 * @param held how many tasks of a person the worker has
 */
export function orderByPerson(found: readonly Row[], held: (person: string) => number): Row[] {
  const dueOf = (row: Row) => taskRow.wake_at(row) ?? 0;
  const waiting = [...new Map(found.map((row) => [taskRow.id(row), row])).values()].toSorted(
    (one, other) => taskRow.priority(one) - taskRow.priority(other) || dueOf(one) - dueOf(other),
  );
  const has = new Map<string, number>();
  const turns = waiting.map((row) => {
    const person = taskRow.external_user_id(row) ?? '';
    const turn = has.get(person) ?? held(person);
    has.set(person, turn + 1);
    return { row, turn };
  });
  // The order of those with the same turn stays.
  return turns
    .toSorted((one, other) => taskRow.priority(one.row) - taskRow.priority(other.row) || one.turn - other.turn)
    .map(({ row }) => row);
}
