import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { createProject } from '../../store/projects/projects.ts';
import { checkConnectors } from '../connectors/connector-object.ts';
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

export const projectCreate = defineOperation('POST', 'project.create', {
  summary: "Creates a project. Its tasks follow the project's instruction.",
  access: 'projects',
  request: z.object({
    name: requiredText('At most 100 characters, kept as one line.'),
    instruction: optional(z.string()).meta({
      description: 'Added to the prompt of every task in the project; at most 20,000 characters.',
    }),
    ...projectDefaults,
  }),
  response: z.object({ project: projectObject }),
  async handle({ name, connectors = [], skills = [], actions = 'allow', memory = true, retention_days = 0, ...texts }, context) {
    const { principal, now, write } = context;
    await checkSkills({ skills }, null, context);
    const chosen = await checkConnectors('connectors', connectors, context);
    const project = await write(createProject, {
      accountId: principal.accountId,
      projectId: newId(now),
      name: readProjectName(name),
      instruction: readInstruction(texts.instruction ?? ''),
      connectors: chosen,
      skills,
      actions,
      memory,
      setupScript: readSetupScript(texts.setup_script ?? ''),
      retentionDays: retention_days,
      now,
    });
    return { project: presentProject(project) };
  },
});
