import { z } from 'zod';
import { listProjects } from '../../store/projects/projects.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentProject, projectObject } from './project-object.ts';

export const projectList = defineOperation({
  name: 'project.list',
  method: 'GET',
  summary: 'Lists the projects of the account, newest first.',
  access: 'projects',
  cost: 'read',
  request: z.object({}),
  response: z.object({ data: z.array(projectObject) }),
  async handle(_, { principal, read }) {
    return { data: (await read(listProjects, principal.accountId)).map(presentProject) };
  },
});
