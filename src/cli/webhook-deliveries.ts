import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode } from './exit-code.ts';
import type { ResultOf } from './operations.ts';
import { terminalLine, formatTable, formatTime, printJson, printNote, printText } from './output.ts';

type Delivery = ResultOf<'webhook.deliveries'>['data'][number];

/** What the last attempt came to, in one word or the receiver's status. */
function describeLast({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return 'not tried yet';
  return last.status === null ? terminalLine(last.error ?? 'failed', 60) : `HTTP ${last.status}`;
}

export const webhookDeliveries = defineCommand({
  name: 'webhook deliveries',
  summary: 'Show what was sent to webhooks and what came of it, the newest first.',
  args: {},
  options: {
    webhook: { type: 'string', value: 'ID', about: 'Only deliveries to this webhook.' },
    status: { type: 'string', choices: ['pending', 'delivered', 'failed', 'skipped'], about: 'Only deliveries that stand so.' },
    ...accountOption,
  },
  examples: [['webhook deliveries --status failed', 'what no receiver has taken']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const list = await connection.call('webhook.deliveries', {
        webhook_id: options.webhook,
        status: options.status,
      });
      const rows = list.data.map((delivery) => [
        delivery.id,
        delivery.status,
        String(delivery.attempt_count),
        formatTime(delivery.created_at),
        describeLast(delivery),
        terminalLine(delivery.event_id, 80),
      ]);
      if (options.json) printJson(shell, list);
      else if (rows.length === 0) printNote(shell, 'no deliveries');
      else printText(shell, formatTable([['ID', 'STATUS', 'ATTEMPTS', 'CREATED (UTC)', 'LAST', 'EVENT'], ...rows]));
      return exitCode.done;
    });
  },
});
