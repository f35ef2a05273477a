import { printReport } from '../../output/print.ts';
import { withConnection } from '../../transport/connect.ts';
import { defineCommand } from '../command.ts';

/** `errand secret reseal` */
export const secretReseal = defineCommand({
  name: 'secret reseal',
  summary: 'Seal all stored keys and tokens with ERRAND_SECRET, after it was changed.',
  details: `All processes need the new secret in ERRAND_SECRET and the one before in ERRAND_SECRET_PREVIOUS; see docs/operate/secrets.md.
It can be interrupted and repeated. When it has ended, ERRAND_SECRET_PREVIOUS can be removed.`,
  examples: [['secret reseal', 'prints how many values were sealed anew']],
  run(shell, { options: { json } }) {
    return withConnection(shell, { account: undefined }, async (connection) => {
      let resealed = 0;
      const unreadable: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await connection.call('operator.resealSecrets', cursor === undefined ? {} : { cursor });
        resealed += page.resealed;
        unreadable.push(...page.unreadable);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      const notes = unreadable.map((place) => `sealed with neither secret, so of no use: ${place}`);
      return printReport(shell, json, { json: { resealed, unreadable }, text: `sealed ${resealed} values anew`, notes });
    });
  },
});
