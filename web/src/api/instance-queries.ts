import { queryOptions } from '@tanstack/react-query';
import type { Response as Reply } from '@errand/client';
import { errand } from './errand.ts';
import { readAll } from './paging.ts';
import { keys } from './query-keys.ts';

export type InstanceHealth = Reply<'instance.health'>['health'];
export type InstanceWorker = Reply<'instance.listWorkers'>['data'][number];
export type InstanceTask = Reply<'instance.listTasks'>['data'][number];
export type ListedAccount = Reply<'instance.listAccounts'>['data'][number];
export type ManagedAccount = Reply<'instance.accountDetail'>['account'];

/** How often pages about the whole instance are read again while they are visible. */
export const instanceRefreshMs = 5_000;

/** How much the instance has to do, and whether it keeps up. */
export const healthQuery = queryOptions({
  queryKey: [...keys.instance, 'health'],
  queryFn: async ({ signal }) => (await errand.instance.health({}, { signal })).health,
  refetchInterval: instanceRefreshMs,
});

/** All workers that run; an instance has a handful. */
export const workersQuery = queryOptions({
  queryKey: keys.instanceWorkers,
  queryFn: ({ signal }) => readAll((from) => errand.instance.listWorkers({ limit: 100, ...from }, { signal })),
  refetchInterval: instanceRefreshMs,
});

/** An account with its keys, tasks, and credits. */
export function managedAccountQuery(accountId: string) {
  return queryOptions({
    queryKey: keys.instanceAccount(accountId),
    queryFn: async ({ signal }) => (await errand.instance.accountDetail({ account_id: accountId }, { signal })).account,
  });
}
