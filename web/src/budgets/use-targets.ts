import type { Budget } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/account-facts.ts';
import { allSchedulesQuery } from '../api/limit-queries.ts';
import { apiKeysQuery, connectionsQuery } from '../api/settings-queries.ts';
import { useText } from '../text/locale.ts';

export type Scope = Budget['scope'];

/** Something that can have a budget. */
export interface Target {
  id: string;
  name: string;
}

/** What can have a budget, by scope; empty while it is being loaded. The account has none to choose from. */
export function useTargets(): Readonly<Record<Scope, readonly Target[]>> {
  const { app } = useText();
  const named = (items: readonly Target[] | undefined) =>
    (items ?? []).map(({ id, name }) => ({ id, name: name || app.untitled }));
  const applications = useQuery(connectionsQuery).data?.map(({ client_id: id, name }) => ({ id, name }));
  return {
    account: [],
    project: named(useQuery(projectsQuery).data),
    key: named(useQuery(apiKeysQuery).data),
    application: named(applications),
    schedule: named(useQuery(allSchedulesQuery).data),
    // Programs know them, this application does not.
    external_user: [],
  };
}
