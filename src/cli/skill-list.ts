import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, formatTable, printJson, printNote, printText } from './output.ts';

export const skillList = defineCommand({
  name: 'skill list',
  summary: 'List the skills that the tasks of an account can use.',
  args: {},
  options: {
    project: { type: 'string', value: 'PROJECT_ID', about: 'Also those of this project.' },
    ...accountOption,
  },
  examples: [['skill list', 'official ones, own ones, those of the team']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('skill.list', { project_id: options.project });
      const rows = list.data.map(({ id, owner_type, name, description }) => [
        id,
        owner_type,
        terminalLine(name, 64),
        terminalLine(description, 80),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'no skills');
      else printText(shell, formatTable([['ID', 'OWNER', 'NAME', 'DESCRIPTION'], ...rows]));
      return exitCode.done;
    });
  },
});
