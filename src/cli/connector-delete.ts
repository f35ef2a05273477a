import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const connectorDelete = defineCommand({
  name: 'connector delete',
  summary: 'Remove a connector with its keys.',
  args: { CONNECTOR_ID: 'Id of the connector, as connector list shows it.' },
  options: accountOption,
  examples: [['connector delete 7d0f…', 'tasks lose its tools at their next turn']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const deleted = await connection.call('connector.delete', { connector_id: args.CONNECTOR_ID });
      if (options.json) printJson(shell, deleted);
      else printText(shell, `deleted ${args.CONNECTOR_ID}`);
      return exitCode.done;
    });
  },
});
