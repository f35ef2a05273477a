import { newId } from '@errand/base/ids.ts';
import { describeCopying, setAside, wordMark } from './copied-tables.ts';
import type { OpenStore } from './open-store.ts';

export const yearMs = 365 * 86_400_000;
/** Tasks of one transaction. */
const chunk = 5000;
/** Rows of one statement. */
const rowsAtOnce = 500;
/** The index of words numbers tasks by their time, this many in a millisecond. */
const numbersOfMs = 1024;

/** The word that only the copy of this number has. */
export function wordOf(number: number): string {
  return `w${number.toString(36).padStart(wordMark.length - 1, '0')}`;
}

/** A task that is to be there as if it had run. */
interface Copy {
  taskId: string;
  source: string;
  atMs: number;
  byMs: number;
  word: string;
}

interface Template {
  id: string;
  createdAtMs: number;
}

function planCopy(number: number, count: number, templates: readonly Template[], untilMs: number): Copy {
  const template = templates[number % templates.length] ?? { id: '', createdAtMs: 0 };
  const atMs = Math.floor(untilMs - yearMs + ((number + 0.5) * yearMs) / count);
  return { taskId: newId(atMs), source: template.id, atMs, byMs: atMs - template.createdAtMs, word: wordOf(number) };
}

async function insertCopies(store: OpenStore, copies: readonly Copy[]): Promise<void> {
  await store.query('DELETE FROM copies');
  for (let at = 0; at < copies.length; at += rowsAtOnce) {
    const rows = copies
      .slice(at, at + rowsAtOnce)
      .map(({ taskId, source, atMs, byMs, word }) => `('${taskId}', '${source}', ${atMs * numbersOfMs}, ${byMs}, '${word}')`);
    await store.query(`INSERT INTO copies (task_id, source, number, by_ms, word) VALUES ${rows.join(', ')}`);
  }
}

/**
 * Adds as many tasks as if they had run, evenly over the year until `untilMs`: copies of all rows of the tasks in the store, with other ids,
 * times, and one word. The bytes of files are not copied. Answers their ids, from the oldest on.
 */
export async function fillYear(store: OpenStore, count: number, untilMs: number): Promise<string[]> {
  const rows = await store.query("SELECT id, created_at FROM tasks WHERE task_type = 'standard' ORDER BY id");
  const templates = rows.map((row) => ({ id: String(row['id']), createdAtMs: Number(row['created_at']) }));
  const tables = await setAside(
    store,
    templates.map(({ id }) => id),
  );
  await store.query('CREATE TEMPORARY TABLE copies (task_id TEXT, source TEXT, number BIGINT, by_ms BIGINT, word TEXT)');
  const ids: string[] = [];
  for (let from = 0; from < count; from += chunk) {
    const length = Math.min(chunk, count - from);
    const copies = Array.from({ length }, (_, at) => planCopy(from + at, count, templates, untilMs));
    await store.query('BEGIN');
    await insertCopies(store, copies);
    for (const table of tables) await store.query(describeCopying(table));
    await store.query('COMMIT');
    for (const { taskId } of copies) ids.push(taskId);
  }
  // A server does this automatically within minutes.
  if (!store.isEmbedded) await store.query('VACUUM ANALYZE');
  return ids;
}
