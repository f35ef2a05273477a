import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { readSkillPackage } from '../input/skill-package.ts';
import { reportList } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

const list = defineRequest({
  name: 'skill list',
  summary: 'List the skills that tasks of an account can use.',
  options: { project: { type: 'string', value: 'PROJECT_ID', about: 'Include the skills of this project.' } },
  examples: [['skill list', 'built-in skills, personal ones and those of the team']],
  operation: 'skill.list',
  input: ({ options }) => ({ project_id: options.project }),
  report: ({ data }) =>
    reportList(data, 'no skills', {
      ID: ({ id }) => id,
      OWNER: ({ owner_type }) => owner_type,
      NAME: ({ name }) => cleanLine(name, 64),
      DESCRIPTION: ({ description }) => cleanLine(description, 80),
    }),
});

const add = defineRequest({
  name: 'skill add',
  summary: 'Add a skill: a folder with a SKILL.md, a zip of one, or a single SKILL.md.',
  args: { PATH: 'The folder or file.' },
  options: {
    project: { type: 'string', value: 'PROJECT_ID', about: 'Only for tasks of this project.' },
    team: { type: 'boolean', about: 'For everyone in the team of the account.' },
  },
  details: 'A skill with the same name and owner is replaced and keeps its ID.',
  examples: [
    ['skill add ./invoices', 'for all tasks of the account'],
    ['skill add invoices.zip --team', 'for everyone in the team'],
  ],
  operation: 'skill.create',
  input: async ({ options: { project, team }, args }) => ({ ...(await readSkillPackage(args.PATH)), project_id: project, team }),
  report: ({ skill }) => ({ text: skill.id, notes: [`${cleanLine(skill.name, 64)}: ${cleanLine(skill.description)}`] }),
});

const remove = defineRequest({
  name: 'skill delete',
  summary: 'Delete a skill that was added to the account.',
  args: { SKILL_ID: 'Skill ID, as shown by skill list.' },
  details: 'Tasks that have already loaded it keep it.',
  examples: [['skill delete 0Ab…', 'new tasks can no longer use it']],
  operation: 'skill.delete',
  input: ({ args }) => ({ skill_id: args.SKILL_ID }),
  report: (_, { args }) => ({ text: `deleted ${args.SKILL_ID}` }),
});

/** `errand skill …` */
export const skillCommands = [list, add, remove];
