import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { exitCode } from '../../exit-code.ts';
import { LiveLine } from '../../output/live-line.ts';
import { printReport } from '../../output/print.ts';
import type { Shell } from '../../shell.ts';
import { withConnection } from '../../transport/connect.ts';
import type { Connection } from '../../transport/connection.ts';
import { defineCommand } from '../command.ts';

/** Failures that are named; of more, only the number is told. */
const mostNamed = 1000;

interface Failure {
  account_id: string;
  task_id: string;
  message: string;
}

async function unpackEach(
  shell: Shell,
  connection: Connection,
): Promise<{ unpacked: number; failures: number; named: Failure[] }> {
  const live = new LiveLine(shell.stderr);
  const sum = { unpacked: 0, failures: 0, named: [] as Failure[] };
  try {
    let cursor: string | undefined;
    do {
      const page = await connection.call('operator.unpackWorkspaces', cursor === undefined ? {} : { cursor });
      sum.unpacked += page.unpacked;
      sum.failures += page.failed.length;
      sum.named.push(...page.failed.slice(0, mostNamed - sum.named.length));
      live.show(`unpacked ${sum.unpacked} workspaces`);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return sum;
  } finally {
    live.clear();
  }
}

/** `errand workspace unpack-all` */
export const workspaceUnpackAll = defineCommand({
  name: 'workspace unpack-all',
  summary: 'Unpack all packed workspaces, before an earlier version of errand uses the data folder.',
  details: `For rolling back to a version that does not know packed workspaces; see docs/operate/upgrades.md. Works whether the service runs
or not, can be interrupted and repeated, and needs space for all the folders. Nothing is packed again within ERRAND_PACK_DAYS. Exits
with 1 if a workspace could not be unpacked, and names its task.`,
  examples: [['workspace unpack-all', 'prints how many workspaces were unpacked']],
  run(shell, { options: { json } }) {
    return withConnection(shell, { account: undefined }, async (connection) => {
      const { unpacked, failures, named } = await unpackEach(shell, connection);
      const notes = named.map(
        ({ account_id, task_id, message }) => `task ${task_id} of account ${account_id}: ${cleanLine(message)}`,
      );
      if (failures > named.length) notes.push(`and ${failures - named.length} more`);
      const text = `unpacked ${unpacked} workspaces${failures > 0 ? `; ${failures} could not be unpacked` : ''}`;
      const exit = failures > 0 ? exitCode.failed : exitCode.done;
      return printReport(shell, json, { json: { unpacked, failures, failed: named }, text, notes, exit });
    });
  },
});
