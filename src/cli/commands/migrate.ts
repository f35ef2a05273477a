import { printReport } from '../output/print.ts';
import { defineCommand } from './command.ts';

/** `errand migrate` */
export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Migrate the database to the schema of this version.',
  details: `Every start does this, too. Run it on its own when several processes share a PostgreSQL database: migrate first, then
replace the processes one by one. You can interrupt and repeat it.`,
  examples: [['migrate', 'prints the old and the new version']],
  async run(shell, { options }) {
    const { migrateStore } = await import('../../app/database-schema.ts');
    const { current: from, shipped: to } = await migrateStore(shell.config, shell.clock);
    const state = from === to ? 'is up to date' : 'is that of a newer version, which this one works with';
    const text = from < to ? `schema: version ${from} → ${to}` : `the schema ${state} (version ${from})`;
    return printReport(shell, options.json, { text, json: { from, to } });
  },
});
