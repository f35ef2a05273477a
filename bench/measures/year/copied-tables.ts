import type { OpenStore } from './open-store.ts';

/** A word in the prompts of the copied tasks. Each copy has another one of the same length. */
export const wordMark = 'zzqx0000';

interface Column {
  name: string;
  isText: boolean;
}

/** A table of which copies are made: `source` has the rows of the copied tasks, each with the task it belongs to as `copied_task`. */
export interface CopiedTable {
  name: string;
  source: string;
  columns: readonly Column[];
}

/** Rows that are deleted within days, so that the tasks of a year have few. */
const shortLived = ['api_requests', 'deliveries', 'notifications'];

const ofArtifact = "r.owner = 'artifact:' || a.id";
/** The task of a reference to a blob: its owner is the task, its workspace, or one of its artifacts. */
const taskOfOwner = 'COALESCE(a.task_id, substr(r.owner, length(r.owner) - 21))';
const references = `blob_refs r LEFT JOIN artifacts a ON a.account_id = r.account_id AND ${ofArtifact}`;

/** How the rows of a table are found that belong to a task; null for a table without any. */
function findSource(table: string, columns: readonly Column[]): { from: string; task: string; rows: string } | null {
  if (table === 'tasks') return { from: 'tasks r', task: 'r.id', rows: 'r.*' };
  if (table === 'blob_refs') return { from: references, task: taskOfOwner, rows: 'r.*' };
  const joined = `${references} JOIN blobs b ON b.account_id = r.account_id AND b.id = r.blob_id`;
  if (table === 'blobs') return { from: joined, task: taskOfOwner, rows: 'b.*' };
  return columns.some(({ name }) => name === 'task_id') ? { from: `${table} r`, task: 'r.task_id', rows: 'r.*' } : null;
}

async function listColumns(store: OpenStore): Promise<Map<string, Column[]>> {
  const rows = await store.query(
    store.isEmbedded
      ? `SELECT m.name AS tab, c.name AS name, c.type AS type FROM sqlite_schema m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'`
      : `SELECT table_name AS tab, column_name AS name, data_type AS type FROM information_schema.columns
         WHERE table_schema = 'public' ORDER BY ordinal_position`,
  );
  const tables = new Map<string, Column[]>();
  for (const { tab, name, type } of rows) {
    const column = { name: String(name), isText: /text/i.test(String(type)) };
    tables.set(String(tab), [...(tables.get(String(tab)) ?? []), column]);
  }
  return tables;
}

/** Sets the rows of these tasks aside, in every table that has some. */
export async function setAside(store: OpenStore, taskIds: readonly string[]): Promise<CopiedTable[]> {
  const list = taskIds.map((id) => `'${id}'`).join(', ');
  const copied: CopiedTable[] = [];
  for (const [name, columns] of await listColumns(store)) {
    const found = findSource(name, columns);
    if (!found || shortLived.includes(name)) continue;
    const source = `copied_${name}`;
    await store.query(
      `CREATE TEMPORARY TABLE ${source} AS SELECT DISTINCT ${found.task} AS copied_task, ${found.rows} FROM ${found.from} WHERE ${found.task} IN (${list})`,
    );
    const [count] = await store.query(`SELECT COUNT(*) AS rows FROM ${source}`);
    if (Number(count?.['rows']) > 0) copied.push({ name, source, columns });
  }
  return copied;
}

/** Another id than that of the copied row: its beginning, with the time, is that of the new task, so copies sort as they were created. */
const newId = (column: string) =>
  `CASE WHEN length(s.${column}) = 22 THEN substr(c.task_id, 1, 15) || substr(s.${column}, 16) ELSE s.${column} END`;

/** What a column of a copy `c` of the row `s` has. */
function copyColumn(table: string, { name, isText }: Column): string {
  // Everything has been done that was to be done about these tasks.
  if (['search_due_at', 'cover_due_at'].includes(name)) return 'NULL';
  if (name === 'settled') return '1';
  if (name === 'account_id') return 's.account_id';
  if (name === 'task_id' || (table === 'tasks' && name === 'id')) return 'c.task_id';
  if (['id', 'blob_id', 'artifact_id'].includes(name) && isText) return newId(name);
  if (name === 'owner') {
    const artifact = `'artifact:' || substr(c.task_id, 1, 15) || substr(s.owner, 25)`;
    return `CASE WHEN s.owner LIKE 'artifact:%' THEN ${artifact} ELSE replace(s.owner, c.source, c.task_id) END`;
  }
  if (isText) return `replace(replace(s.${name}, c.source, c.task_id), '${wordMark}', c.word)`;
  if (name === 'number') return 'c.number';
  return /(^|_)at$/.test(name) ? `CASE WHEN s.${name} > 1000000000000 THEN s.${name} + c.by_ms ELSE s.${name} END` : `s.${name}`;
}

/** Adds the rows of a table for all tasks in `copies`, in the order of their creation. */
export function describeCopying({ name, source, columns }: CopiedTable): string {
  const names = columns.map((column) => column.name).join(', ');
  const values = columns.map((column) => copyColumn(name, column)).join(', ');
  return `INSERT INTO ${name} (${names}) SELECT ${values} FROM copies c CROSS JOIN ${source} s WHERE s.copied_task = c.source ORDER BY c.task_id`;
}
