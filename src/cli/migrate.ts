import { defineCommand } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printJson, printText } from './output.ts';

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Bring the database to the schema of this version.',
  args: {},
  options: {},
  details: `Every start does the same. On its own it is for several processes on one PostgreSQL: migrate first, then replace them one
by one. It can be interrupted and run again.`,
  examples: [['migrate', 'says from which version to which']],
  async run(shell, { options }) {
    const { migrateStore } = await import('../app/database-schema.ts');
    const { current: from, shipped: to } = await migrateStore(shell.config, shell.clock);
    if (options.json) printJson(shell, { from, to });
    else printText(shell, from === to ? `schema is at version ${to}, nothing to do` : `schema: version ${from} → ${to}`);
    return exitCode.done;
  },
});
