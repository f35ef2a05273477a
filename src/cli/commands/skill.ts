import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { readSkillPackage } from '../input/skill-package.ts';
import { columns, reportRows } from '../output/print.ts';
import { defineRequest, reportDone } from './request-command.ts';

const list = defineRequest('skill list', 'skill.list', {
  summary: 'List the skills that tasks of an account can use.',
  options: { project: { type: 'string', value: 'PROJECT_ID', about: 'Include the skills of this project.' } },
  examples: [['skill list', 'built-in skills, personal ones and those of the team']],
  input: ({ options }) => ({ project_id: options.project }),
  report: reportRows('no skills', {
    ...columns.id,
    OWNER: ({ owner_type }) => owner_type,
    NAME: ({ name }) => cleanLine(name, 64),
    DESCRIPTION: ({ description }) => cleanLine(description, 80),
  }),
});

const add = defineRequest('skill add', 'skill.create', {
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
  input: async ({ options: { project, team }, args }) => ({ ...(await readSkillPackage(args.PATH)), project_id: project, team }),
  report: ({ skill }) => ({ text: skill.id, notes: [`${cleanLine(skill.name, 64)}: ${cleanLine(skill.description)}`] }),
});

const remove = defineRequest('skill delete', 'skill.delete', {
  summary: 'Delete a skill that was added to the account.',
  args: { SKILL_ID: 'Skill ID, as shown by skill list.' },
  details: 'Tasks that have already loaded it keep it.',
  examples: [['skill delete 0Ab…', 'new tasks can no longer use it']],
  report: reportDone('deleted'),
});

/** `errand skill …` */
export const skillCommands = [list, add, remove];
