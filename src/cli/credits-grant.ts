import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const creditsGrant = defineCommand({
  name: 'credits grant',
  summary: 'Give an account credits, or take some away.',
  args: { CREDITS: 'How many; with --take they are taken away.' },
  options: {
    ...accountOption,
    take: { type: 'boolean', about: 'Takes them away instead.' },
    title: { type: 'string', value: 'TEXT', about: 'What for, as the account sees it.' },
  },
  examples: [['credits grant 1000 --account ann@example.com --title "Welcome"', 'adds a record that ann sees in usage.list']],
  async run(shell, { options, args }) {
    if (!/^[1-9]\d{0,9}$/.test(args.CREDITS)) throw new UsageFault('CREDITS must be a whole number above 0');
    const credits = options.take ? -Number(args.CREDITS) : Number(args.CREDITS);
    return withConnection(shell, { account: options.account }, async (connection) => {
      const granted = await connection.call('credits.grant', { credits, title: options.title });
      if (options.json) printJson(shell, granted);
      else printText(shell, `${options.take ? 'took' : 'granted'} ${args.CREDITS}`);
      return exitCode.done;
    });
  },
});
