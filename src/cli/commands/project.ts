import { cleanLine } from '@errand/base/text/terminal-text.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { requireOption } from '../input/options.ts';
import { readTextInput } from '../input/text-input.ts';
import { columns, reportRows } from '../output/print.ts';
import type { ResultOf } from '../transport/operations.ts';
import type { Shell } from '../shell.ts';
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
  setup: {
    type: 'string',
    value: 'FILE',
    about: 'Bash script that prepares the sandboxes of its tasks; an empty file removes it.',
  },
} as const satisfies OptionTable;

async function readSetup(shell: Shell, file: string | undefined) {
  return file === undefined ? {} : { setup_script: await readTextInput(shell, file) };
}

const create = defineRequest('project create', 'project.create', {
  summary: 'Create a project and print its ID.',
  options: projectOptions,
  examples: [['project create --name Reports --instruction "Write in French."', 'for tasks in French']],
  async input({ options }, shell) {
    const { instruction, connector: connectors, skill: skills, actions, setup } = options;
    const script = await readSetup(shell, setup);
    return { name: requireOption(options, 'name'), instruction, connectors, skills, actions, ...script };
  },
  report: ({ project }) => ({ text: project.id }),
});

type ListedProject = ResultOf<'project.list'>['data'][number];

const list = defineRequest('project list', 'project.list', {
  summary: 'List the projects of an account, newest first.',
  examples: [['project list', 'their IDs and names']],
  report: reportRows('no projects', {
    ...columns.id,
    ...columns.created,
    SETUP: ({ setup }: ListedProject) => (setup === undefined || setup.status === 'none' ? '' : setup.status),
    NAME: ({ name }: ListedProject) => cleanLine(name, 100),
  }),
});

const update = defineRequest('project update', 'project.update', {
  summary: 'Change a project; omitted settings stay unchanged.',
  args: { PROJECT_ID: 'Project ID, as shown by project list.' },
  options: projectOptions,
  details: `Changes apply to new tasks; existing tasks keep their instruction. A changed setup script runs when a task next needs it. --connector and --skill replace the previous lists.`,
  examples: [
    ['project update 0Ab… --actions refuse', 'its tasks skip actions that nobody can confirm'],
    ['project update 0Ab… --setup setup.sh', 'its tasks find what the script installs'],
  ],
  async input({ options: { name, instruction, connector: connectors, skill: skills, actions, setup }, args }, shell) {
    const script = await readSetup(shell, setup);
    return { project_id: args.PROJECT_ID, name, instruction, connectors, skills, actions, ...script };
  },
  report: ({ project }) => ({ text: `updated ${project.id}` }),
});

/** `errand project …` */
export const projectCommands = [create, list, update];
