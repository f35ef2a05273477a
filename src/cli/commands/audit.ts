import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { limitOption, readLimit } from '../input/options.ts';
import { formatTime, reportRows } from '../output/print.ts';
import { defineRequest } from './request-command.ts';

function describeDetail(detail: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(detail).map(([name, value]) => `${name}=${value}`);
  return cleanLine(pairs.join(' '), 160);
}

const list = defineRequest('audit list', 'audit.list', {
  summary: 'Show the security log of an account: sign-ins, keys, teams and applications.',
  options: limitOption,
  examples: [['audit list --account ann@example.com', 'newest first']],
  input: ({ options }) => ({ limit: readLimit(options) }),
  report: reportRows('no events', {
    'TIME (UTC)': ({ created_at }) => formatTime(created_at),
    EVENT: ({ kind }) => kind,
    BY: ({ actor }) => cleanLine(actor, 60),
    DETAILS: ({ detail }) => describeDetail(detail),
  }),
});

/** `errand audit …` */
export const auditCommands = [list];
