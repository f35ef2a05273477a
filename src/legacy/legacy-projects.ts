import { z } from 'zod';
import { optional, queryInteger, requiredText } from '../api/contract/fields.ts';
import { projectCreate } from '../api/projects/project.create.ts';
import { projectList } from '../api/projects/project.list.ts';
import type { projectObject } from '../api/projects/project-object.ts';
import { askCurrent, defineLegacy } from './legacy-operation.ts';

type CurrentProject = z.output<typeof projectObject>;

/** A project as v1 represents it (docs/reference/wire-format.md#v1-objects); its time is Unix seconds as a string. */
const legacyProject = z.object({
  id: z.string(),
  object: z.literal('project'),
  name: z.string(),
  instruction: z.string(),
  created_at: z.string(),
});

function presentLegacyProject({ id, name, instruction, created_at }: CurrentProject): z.input<typeof legacyProject> {
  return { id, object: 'project', name, instruction, created_at: String(created_at) };
}

export const projectCreateLegacy = defineLegacy('POST', '/v1/projects', {
  summary: "Creates a project. Its tasks follow the project's instruction.",
  access: 'projects',
  request: z.object({ name: requiredText('At most 100 characters.'), instruction: optional(z.string()) }),
  response: legacyProject,
  async handle(input, context) {
    return presentLegacyProject((await askCurrent<{ project: CurrentProject }>(projectCreate, input, context)).project);
  },
});

export const projectListLegacy = defineLegacy('GET', '/v1/projects', {
  summary: 'Lists projects, newest first.',
  access: 'projects',
  request: z.object({ limit: queryInteger(1, 1000, 100) }),
  response: z.object({ object: z.literal('list'), data: z.array(legacyProject) }),
  async handle({ limit }, context) {
    const { data } = await askCurrent<{ data: CurrentProject[] }>(projectList, {}, context);
    return { object: 'list' as const, data: data.slice(0, limit).map(presentLegacyProject) };
  },
});
