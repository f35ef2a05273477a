import { isId } from '@errand/base/ids.ts';
import { type ProjectKey, projectNotFound } from '../../store/projects/projects.ts';
import type { Context } from './operation.ts';

/** Where the caller's project is kept; 404 for what cannot be a project's id. */
export function keyOfProject(projectId: string, { principal }: Context): ProjectKey {
  if (!isId(projectId)) throw projectNotFound();
  return { accountId: principal.accountId, projectId };
}
