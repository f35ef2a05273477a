import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';
import { projectOptions } from './project-options.ts';
import { requireOption } from './team-option.ts';

export const projectCreate = defineCommand({
  name: 'project create',
  summary: 'Create a project, whose instruction its tasks follow, and print its id.',
  args: {},
  options: { name: { type: 'string', value: 'NAME', about: 'What it is called.' }, ...projectOptions, ...accountOption },
  examples: [['project create --name Reports --instruction "Write in French."', 'for tasks in French']],
  async run(shell, { options }) {
    const { instruction, connector: connectors, skill: skills, actions } = options;
    const input = { name: requireOption(options, 'name'), instruction, connectors, skills, actions };
    return withConnection(shell, { account: options.account }, async (connection) => {
      const created = await connection.call('project.create', input);
      if (options.json) printJson(shell, created);
      else printText(shell, created.project.id);
      return exitCode.done;
    });
  },
});
