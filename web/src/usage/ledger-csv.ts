import type { UsageRecord } from '@errand/client';

/** A field of a table, quoted where it has to be. Programs for tables would run what begins like a formula. */
function quoteField(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Records as comma-separated values (RFC 4180) with a line of names; times in UTC. */
export function writeCsv(records: readonly UsageRecord[]): string {
  const rows = records.map(({ created_at: createdAt, type, credits, title, task_id: taskId }) => [
    new Date(createdAt * 1000).toISOString(),
    type,
    String(credits),
    title,
    taskId,
  ]);
  return [['time', 'type', 'credits', 'title', 'task_id'], ...rows].map((row) => `${row.map(quoteField).join(',')}\r\n`).join('');
}
