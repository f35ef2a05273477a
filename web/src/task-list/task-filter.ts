import type { Task } from '@errand/client';
import type { TaskFilter } from '../api/query-keys.ts';

export const taskStatuses = ['running', 'waiting', 'stopped', 'error'] as const satisfies readonly Task['status'][];

/** The filter of the home page, as stored in the URL. */
export interface ListSearch {
  q?: string;
  status?: Task['status'];
  project?: string;
  /** Archived tasks instead of all others. */
  archived?: true;
  /** Tasks that teammates have handed over instead of own ones; other filters do not apply. */
  assigned?: true;
  /** A key (`key:<id>`) or an application (`app:<id>`). */
  from?: string;
}

/** Reads the filter from the URL; unknown values are dropped. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  if (String(search['assigned']) === 'true') return { assigned: true };
  const [q, project, from] = [text(search['q']), text(search['project']), text(search['from'])];
  const status = taskStatuses.find((one) => one === search['status']);
  const archived = String(search['archived']) === 'true' ? { archived: true as const } : {};
  return { ...archived, ...(q && { q }), ...(status && { status }), ...(project && { project }), ...(from && { from }) };
}

/** The filter in the format of the API. */
export function toTaskFilter({ q, status, archived, project, from }: ListSearch): TaskFilter {
  const id = from?.slice(from.indexOf(':') + 1) ?? '';
  return {
    ...(q !== undefined && { text: q }),
    ...(status !== undefined && { status }),
    ...(archived && { is_archived: true }),
    ...(project !== undefined && { project_id: project }),
    ...(from?.startsWith('key:') === true && { api_key_id: id }),
    ...(from?.startsWith('app:') === true && { oauth_client_id: id }),
  };
}
