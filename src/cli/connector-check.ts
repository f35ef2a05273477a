import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';

export const connectorCheck = defineCommand({
  name: 'connector check',
  summary: 'Look whether a connector can be reached and what tools it has now.',
  args: { CONNECTOR_ID: 'Id of the connector, as connector list shows it.' },
  options: accountOption,
  details: 'Exits with 1 where the connector cannot be used.',
  examples: [['connector check 7d0f…', 'connected, or why not']],
  async run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const checked = await connection.call('connector.check', { connector_id: args.CONNECTOR_ID });
      const { status, tools, problem } = checked.connector;
      if (options.json) printJson(shell, checked);
      else {
        printText(shell, terminalLine(status));
        printNote(shell, terminalLine(problem ?? `tools: ${tools.join(', ') || 'none'}`, 500));
      }
      return problem === null ? exitCode.done : exitCode.failed;
    });
  },
});
