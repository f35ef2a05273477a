import { z } from 'zod';
import { getProject } from '../../store/projects/projects.ts';
import { listSkills } from '../../store/skills/skills.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfProject } from '../contract/owned-project.ts';
import { presentOfficial, presentSkill, skillObject } from './skill-object.ts';

export const skillList = defineOperation('GET', 'skill.list', {
  summary: "Lists the skills available to tasks: official skills, your own, and your team's.",
  access: 'tasks',
  request: z.object({ project_id: z.string().optional().meta({ description: 'Includes the skills of this project.' }) }),
  response: z.object({ data: z.array(skillObject) }),
  async handle({ project_id }, context) {
    const { principal, read, skills } = context;
    if (project_id !== undefined) await read(getProject, keyOfProject(project_id, context));
    const stored = await read(listSkills, { accountId: principal.accountId, projectId: project_id ?? null });
    return { data: [...(await skills.listOfficial()).map(presentOfficial), ...stored.map(presentSkill)] };
  },
});
