import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { columns, reportRows } from '../output/print.ts';
import { defineRequest, reportDone } from './request-command.ts';

const link = defineRequest('bridge link', 'bridge.link', {
  summary: 'Print a code that links a Telegram or Slack chat to the agent of an account.',
  details: 'Send the code to the bot as /link CODE. It works once and expires after ten minutes.',
  examples: [['bridge link', 'prints the code and where to send it']],
  report: ({ code, bots }) => ({
    text: code,
    notes: bots.map(({ platform, name, url }) =>
      cleanLine(`${platform}: send it to ${name}${url === null ? '' : ` or open ${url}`}`, 300),
    ),
  }),
});

const list = defineRequest('bridge list', 'bridge.list', {
  summary: 'List the chats that are linked to the agent of an account.',
  examples: [['bridge list', 'who talks to the agent, and where']],
  report: reportRows('no linked chats', {
    ...columns.id,
    PLATFORM: ({ platform }) => platform,
    CHAT: ({ title }) => cleanLine(title, 60),
    PROBLEM: ({ problem }) => cleanLine(problem ?? '', 120),
  }),
});

const unlink = defineRequest('bridge unlink', 'bridge.unlink', {
  summary: 'Unlink a chat, so that it no longer acts for the account.',
  args: { CHAT_ID: 'Chat ID, as shown by bridge list.' },
  examples: [['bridge unlink 01Ab…', 'for a lost phone']],
  report: reportDone('unlinked'),
});

/** `errand bridge …` */
export const bridgeCommands = [link, list, unlink];
