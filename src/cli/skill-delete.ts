import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const skillDelete = defineCommand({
  name: 'skill delete',
  summary: 'Delete a skill that the account brought.',
  args: { SKILL_ID: 'Id of the skill, as skill list shows it.' },
  options: accountOption,
  details: 'Tasks that have loaded it keep what they have.',
  examples: [['skill delete 0Ab…', 'it is gone for tasks that come']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const deleted = await connection.call('skill.delete', { skill_id: args.SKILL_ID });
      if (options.json) printJson(shell, deleted);
      else printText(shell, `deleted ${args.SKILL_ID}`);
      return exitCode.done;
    });
  },
});
