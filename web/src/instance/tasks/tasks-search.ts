import { type ListSearch, readListSearch } from '../../task-list/task-filter.ts';

/** Minimum ages that can be chosen, with their seconds. */
export const ages = { '10m': 600, '1h': 3600, '1d': 86_400, '7d': 604_800 } as const;
export type Age = keyof typeof ages;

/** The filter of the tasks of all accounts, as stored in the URL. */
export interface TasksSearch extends Pick<ListSearch, 'status'> {
  age?: Age;
  worker?: string;
  /** Id or address of an account. */
  account?: string;
}

/** Reads the filter from the URL; unknown values are dropped. */
export function readTasksSearch(search: Record<string, unknown>): TasksSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const { status } = readListSearch(search);
  const age = (Object.keys(ages) as Age[]).find((one) => one === search['age']);
  const [worker, account] = [text(search['worker']), text(search['account'])];
  return { ...(status && { status }), ...(age && { age }), ...(worker && { worker }), ...(account && { account }) };
}
