import { z } from 'zod';
import { newId } from '../base/ids.ts';
import { createProject } from '../store/projects.ts';
import { optional, requiredText } from './fields.ts';
import { defineOperation } from './operation.ts';
import { presentProject, projectObject, readInstruction, readProjectName } from './project-object.ts';

export const projectCreate = defineOperation({
  name: 'project.create',
  method: 'POST',
  summary: 'Creates a project, whose instruction its tasks follow.',
  access: 'projects',
  cost: 'write',
  request: z.object({
    name: requiredText('At most 100 characters, kept as one line.'),
    instruction: optional(z.string()).meta({
      description: 'Prepended to what every task of the project is told; at most 20,000 characters.',
    }),
  }),
  response: z.object({ project: projectObject }),
  async handle({ name, instruction = '' }, { principal, now, write }) {
    const project = await write(createProject, {
      accountId: principal.accountId,
      projectId: newId(now),
      name: readProjectName(name),
      instruction: readInstruction(instruction),
      connectors: [],
      skills: [],
      now,
    });
    return { project: presentProject(project) };
  },
});
