import { isId } from '@errand/base/ids.ts';
import type { ProjectKey } from '../../store/projects/project-key.ts';
import { projectNotFound } from '../../store/projects/projects.ts';
import type { Context } from './operation.ts';

/** The key of the caller's project; 404 for an invalid id. */
export function keyOfProject(projectId: string, { principal }: Context): ProjectKey {
  if (!isId(projectId)) throw projectNotFound();
  return { accountId: principal.accountId, projectId };
}
