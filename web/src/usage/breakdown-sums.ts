import type { UsageSum } from '@errand/client';
import { errand } from '../api/errand.ts';
import { readAll } from '../api/paging.ts';
import { dayMs } from './daily-usage.ts';
import { formatCsv } from './ledger-csv.ts';

export type Group = 'day' | 'model' | 'project' | 'user';

/** What a sum is limited to: one model, project, or person. */
export interface Chosen {
  by: Exclude<Group, 'day'>;
  id: string;
  name: string;
}

export interface Range {
  /** The days up to today. */
  days: number;
  /** Midnight UTC. */
  todayMs: number;
}

const fields = { model: 'model', project: 'project_id', user: 'user_id' } as const;

/** The request for the sums of a time, of what is chosen. */
export function sumsOf({ days, todayMs }: Range, by: Group, chosen: Chosen | null) {
  return {
    by,
    start_date: (todayMs - (days - 1) * dayMs) / 1000,
    end_date: todayMs / 1000,
    ...(chosen && { [fields[chosen.by]]: chosen.id }),
  };
}

/** All sums of a time. */
export function readSums(range: Range, by: Group, chosen: Chosen | null, signal?: AbortSignal): Promise<UsageSum[]> {
  const request = sumsOf(range, by, chosen);
  return readAll((from) => errand.usage.breakdown({ ...request, ...from }, signal ? { signal } : {}));
}

/** What a sum is of. */
export function keyOf({ date, model, project_id: project, user_id: user }: UsageSum): string {
  return `${date ?? ''} ${model ?? ''} ${project ?? ''} ${user ?? ''}`;
}

const headings: Record<Group, string[]> = {
  day: ['date'],
  model: ['model'],
  project: ['project_id', 'project'],
  user: ['user_id', 'email'],
};

function nameCells(sum: UsageSum, by: Group): string[] {
  if (by === 'day') return [new Date((sum.date ?? 0) * 1000).toISOString().slice(0, 10)];
  if (by === 'model') return [sum.model ?? ''];
  return by === 'project' ? [sum.project_id ?? '', sum.project_name ?? ''] : [sum.user_id ?? '', sum.email ?? ''];
}

/** The sums as a table for spreadsheet programs. */
export function writeSums(sums: readonly UsageSum[], by: Group): string {
  const heading = [...headings[by], 'calls', 'input_tokens', 'cached_tokens', 'output_tokens', 'credits', 'amount', 'currency'];
  const rows = sums.map((sum) => [
    ...nameCells(sum, by),
    ...[sum.calls, sum.input_tokens, sum.cached_tokens, sum.output_tokens, sum.credits, sum.money.amount].map(String),
    sum.money.currency,
  ]);
  return formatCsv([heading, ...rows]);
}
