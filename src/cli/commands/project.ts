import { cleanLine } from '@errand/base/text/terminal-text.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { requireOption } from '../input/options.ts';
import { columns, reportRows } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

const projectOptions = {
  name: { type: 'string', value: 'NAME', about: 'Name of the project.' },
  instruction: { type: 'string', value: 'TEXT', about: 'Instruction given to every task of the project.' },
  connector: { type: 'string', multiple: true, value: 'ID', about: 'Connector for tasks that name none; repeatable.' },
  skill: { type: 'string', multiple: true, value: 'ID', about: 'Skill for tasks that name none (default: all); repeatable.' },
  actions: {
    type: 'string',
    choices: ['allow', 'refuse'],
    about: 'What happens to actions that nobody can confirm (default: allow).',
  },
} as const satisfies OptionTable;

const create = defineRequest('project create', 'project.create', {
  summary: 'Create a project and print its ID.',
  options: projectOptions,
  examples: [['project create --name Reports --instruction "Write in French."', 'for tasks in French']],
  input({ options }) {
    const { instruction, connector: connectors, skill: skills, actions } = options;
    return { name: requireOption(options, 'name'), instruction, connectors, skills, actions };
  },
  report: ({ project }) => ({ text: project.id }),
});

const list = defineRequest('project list', 'project.list', {
  summary: 'List the projects of an account, newest first.',
  examples: [['project list', 'their IDs and names']],
  report: reportRows('no projects', { ...columns.id, ...columns.created, NAME: ({ name }) => cleanLine(name, 100) }),
});

const update = defineRequest('project update', 'project.update', {
  summary: 'Change a project; omitted settings stay unchanged.',
  args: { PROJECT_ID: 'Project ID, as shown by project list.' },
  options: projectOptions,
  details: `Changes apply to new tasks; existing tasks keep their instruction. --connector and --skill replace the previous lists.`,
  examples: [['project update 0Ab… --actions refuse', 'its tasks skip actions that nobody can confirm']],
  input({ options: { name, instruction, connector: connectors, skill: skills, actions }, args }) {
    return { project_id: args.PROJECT_ID, name, instruction, connectors, skills, actions };
  },
  report: ({ project }) => ({ text: `updated ${project.id}` }),
});

/** `errand project …` */
export const projectCommands = [create, list, update];
