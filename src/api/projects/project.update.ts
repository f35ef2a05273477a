import { z } from 'zod';
import { updateProject } from '../../store/projects/projects.ts';
import { checkConnectors } from '../connectors/connector-object.ts';
import { keyOfProject } from '../contract/owned-project.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { checkSkills } from '../skills/skill-object.ts';
import {
  presentProject,
  projectDefaults,
  projectObject,
  readInstruction,
  readProjectName,
  readSetupScript,
} from './project-object.ts';

export const projectUpdate = defineOperation('POST', 'project.update', {
  summary: 'Updates a project. Changes apply to new tasks only.',
  details:
    'Omitted fields keep their values. Existing tasks keep the instruction they were created with. A changed setup script runs when a task next needs it.',
  access: 'projects',
  request: z.object({
    project_id: requiredText('Identifier of the project.'),
    name: optional(z.string()).meta({ description: 'At most 100 characters.' }),
    instruction: optional(z.string()).meta({ description: 'At most 20,000 characters; an empty string removes it.' }),
    ...projectDefaults,
  }),
  response: z.object({ project: projectObject }),
  async handle({ project_id, name, instruction, connectors, skills, actions, memory, setup_script, retention_days }, context) {
    await checkSkills({ skills }, keyOfProject(project_id, context).projectId, context);
    const chosen = connectors && (await checkConnectors('connectors', connectors, context));
    const project = await context.write(updateProject, {
      ...keyOfProject(project_id, context),
      now: context.now,
      name: name === undefined ? null : readProjectName(name),
      instruction: instruction === undefined ? null : readInstruction(instruction),
      connectors: chosen ?? null,
      skills: skills ?? null,
      actions: actions ?? null,
      memory: memory ?? null,
      setupScript: setup_script === undefined ? null : readSetupScript(setup_script),
      retentionDays: retention_days ?? null,
    });
    return { project: presentProject(project) };
  },
});
