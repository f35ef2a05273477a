import type { UsageRecord } from '@errand/client';

/** A CSV field, quoted if necessary. Spreadsheet programs would run anything that starts like a formula. */
function quoteField(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Comma-separated values (RFC 4180). */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoteField).join(',')}\r\n`).join('');
}

/** Records with a header line; times in UTC. */
export function writeCsv(records: readonly UsageRecord[]): string {
  const rows = records.map(({ created_at: createdAt, type, credits, title, task_id: taskId }) => [
    new Date(createdAt * 1000).toISOString(),
    type,
    String(credits),
    title,
    taskId,
  ]);
  return formatCsv([['time', 'type', 'credits', 'title', 'task_id'], ...rows]);
}
