import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';
import { projectOptions } from './project-options.ts';

export const projectUpdate = defineCommand({
  name: 'project update',
  summary: 'Change a project for the tasks that come; what is not given stays as it is.',
  args: { PROJECT_ID: 'Id of the project, as project list shows it.' },
  options: { name: { type: 'string', value: 'NAME', about: 'What it is called.' }, ...projectOptions, ...accountOption },
  details: 'Connectors and skills that are given replace those of before. Tasks keep the instruction that they began with.',
  examples: [['project update 0Ab… --actions refuse', 'its tasks publish and change nothing outside by themselves']],
  async run(shell, { options, args }) {
    const { name, instruction, connector: connectors, skill: skills, actions } = options;
    const input = { project_id: args.PROJECT_ID, name, instruction, connectors, skills, actions };
    return withConnection(shell, { account: options.account }, async (connection) => {
      const updated = await connection.call('project.update', input);
      if (options.json) printJson(shell, updated);
      else printText(shell, `changed ${updated.project.id}`);
      return exitCode.done;
    });
  },
});
