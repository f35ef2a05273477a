import { queryOptions } from '@tanstack/react-query';
import { errand } from './errand.ts';
import { readAll } from './paging.ts';
import { keys } from './query-keys.ts';

/** The policies of the account, of its projects, and of its team. */
export const policiesQuery = queryOptions({
  queryKey: keys.policies,
  queryFn: ({ signal }) => readAll((from) => errand.policy.list({ limit: 100, ...from }, { signal })),
});

/** The brand of the account, or of a project. */
export const brandQuery = (place: { scope: 'account' | 'project'; id?: string }) =>
  queryOptions({ queryKey: keys.brand(place), queryFn: ({ signal }) => errand.brand.get(place, { signal }) });

/** The budgets of the account besides those of single tasks, with what is used. */
export const budgetsQuery = queryOptions({
  queryKey: keys.budgets,
  queryFn: ({ signal }) => readAll((from) => errand.budget.list({ limit: 100, ...from }, { signal })),
});

/** How many tasks of the account and its parts run at once, and how many do now. */
export const limitsQuery = queryOptions({
  queryKey: keys.limits,
  queryFn: async ({ signal }) => {
    const first = await errand.limit.list({}, { signal });
    const { has_more: hasMore, next_cursor: cursor } = first;
    const more = hasMore && cursor !== undefined;
    const further = more ? await readAll((from) => errand.limit.list({ cursor, ...from }, { signal })) : [];
    return { ...first, data: [...first.data, ...further] };
  },
});

/** The schedules of the account. */
export const allSchedulesQuery = queryOptions({
  queryKey: [...keys.schedules, 'all'],
  queryFn: ({ signal }) => readAll((from) => errand.schedule.list({ limit: 100, ...from }, { signal })),
});
