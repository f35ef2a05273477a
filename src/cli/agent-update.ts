import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { terminalLine, printJson, printText } from './output.ts';

export const agentUpdate = defineCommand({
  name: 'agent update',
  summary: 'Give the default agent another nickname or say what it is about.',
  args: {},
  options: {
    nickname: { type: 'string', value: 'NAME', about: 'What it is called.' },
    about: { type: 'string', value: 'TEXT', about: 'What it is there for; it reads this from its next step on.' },
    ...accountOption,
  },
  examples: [['agent update --nickname Ada --about "Looks after the library."', 'the agent knows from its next step on']],
  async run(shell, { options }) {
    const { nickname, about } = options;
    if (nickname === undefined && about === undefined) throw new UsageFault('--nickname or --about is missing');
    return withConnection(shell, { account: options.account }, async (connection) => {
      const updated = await connection.call('agent.update', { agent_id: 'agent-default', nickname, about });
      if (options.json) printJson(shell, updated);
      else printText(shell, `changed ${terminalLine(updated.agent.nickname)}`);
      return exitCode.done;
    });
  },
});
