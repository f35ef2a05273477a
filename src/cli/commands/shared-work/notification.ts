import { UsageFault } from '../../exit-code.ts';
import type { OptionTable } from '../../input/command-shape.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineRequest } from '../request-command.ts';

type Settings = ResultOf<'notification.show'>['settings'];

const channelsAbout = 'push, email, chat, several separated by commas, or none';
const settingOptions = {
  questions: { type: 'string', value: 'WHERE', about: `Where to notify of questions, approvals and sign-ins: ${channelsAbout}.` },
  budget: { type: 'string', value: 'WHERE', about: 'The same for budgets that are used up.' },
  failures: { type: 'string', value: 'WHERE', about: 'The same for tasks that failed.' },
  finished: { type: 'string', value: 'WHERE', about: 'The same for tasks that finished.' },
  quiet: { type: 'string', value: 'HOURS', about: 'Hours without notifications, such as 22:00-07:00, or none.' },
  zone: { type: 'string', value: 'ZONE', about: 'Time zone of these times, such as Europe/Berlin.' },
  digest: { type: 'string', choices: ['none', 'daily', 'weekly'], about: 'A mail with what finished, failed, and waits.' },
  'digest-time': { type: 'string', value: 'TIME', about: 'When that is sent, such as 08:00.' },
} as const satisfies OptionTable;

const topics = ['questions', 'budget', 'failures', 'finished'] as const;

type Options = { [Name in keyof typeof settingOptions]?: string };

function readOptions(options: Options) {
  const given = topics.flatMap((topic) => {
    const text = options[topic];
    return text === undefined ? [] : [[topic, text === 'none' ? [] : text.split(',')] as const];
  });
  if (Object.values(options).every((value) => value === undefined)) throw new UsageFault('nothing to change: give an option');
  return {
    ...(given.length > 0 && { topics: Object.fromEntries(given) }),
    ...(options.quiet !== undefined && { quiet_hours: options.quiet === 'none' ? '' : options.quiet }),
    ...{ time_zone: options.zone, digest: options.digest, digest_time: options['digest-time'] },
  };
}

function describe({ topics: wanted, time_zone: zone, quiet_hours: quiet, digest, digest_time: time }: Settings): string {
  const lines = topics.map((topic) => `${topic}: ${wanted[topic]?.join(', ') || 'none'}`);
  const hours = quiet === '' ? 'none' : `${quiet} ${zone}`;
  return [...lines, `quiet hours: ${hours}`, `digest: ${digest === 'none' ? digest : `${digest} at ${time} ${zone}`}`].join('\n');
}

const show = defineRequest('notification show', 'notification.show', {
  summary: 'Show what the user of an account is notified of, where and when.',
  examples: [['notification show', 'topics, quiet hours, digest, and how many browsers are notified']],
  report: ({ settings, browsers, chats, has_mail: hasMail }) => ({
    text: describe(settings),
    notes: [`${browsers} browsers; ${chats} linked chats; ${hasMail ? 'mail is sent' : 'this service sends no mail'}`],
  }),
});

const set = defineRequest('notification set', 'notification.set', {
  summary: 'Change what the user of an account is notified of; omitted settings stay unchanged.',
  options: settingOptions,
  examples: [
    ['notification set --finished none --quiet 22:00-07:00 --zone Europe/Berlin', 'quiet nights, and no word of success'],
  ],
  input: ({ options }) => readOptions(options),
  report: ({ settings }) => ({ text: describe(settings) }),
});

const tryOut = defineRequest('notification try', 'notification.try', {
  summary: 'Send a test to all browsers of an account, and by mail.',
  examples: [['notification try', 'it should arrive within seconds']],
  report: () => ({ text: 'sent' }),
});

/** `errand notification …` */
export const notificationCommands = [show, set, tryOut];
