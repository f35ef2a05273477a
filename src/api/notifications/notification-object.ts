import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import {
  digestPeriods,
  noticeChannels,
  type NoticeTopic,
  type NotificationSettings,
} from '../../rules/notifications/notification-settings.ts';
import { readTimeZone } from '../../rules/schedules/time-zone.ts';
import { optional } from '../contract/fields.ts';

const timeAbout = 'A time such as `22:00`, on the clocks of `time_zone`.';

const quietAbout =
  'Hours without notifications, such as `22:00-07:00`, on the clocks of `time_zone`; what falls into them is sent when they end. Empty for none.';

const channels = z.array(z.enum(noticeChannels));

/** What people are notified of; with an empty list, nowhere. */
const topics = {
  questions: channels.meta({
    description: 'A task asks, needs permission or a sign-in, or a teammate assigns something to you.',
  }),
  budget: channels.meta({ description: 'A task has used up a budget.' }),
  failures: channels.meta({ description: 'A task has failed.' }),
  finished: channels.meta({ description: 'A task has finished.' }),
} satisfies Record<NoticeTopic, unknown>;

/** What a person wants to be notified of. */
export const notificationObject = z
  .object({
    topics: z.object(topics).meta({ description: 'The ways of notifying of each kind of event; an empty list for none.' }),
    time_zone: z.string(),
    quiet_hours: z.string().meta({ description: quietAbout }),
    digest: z.enum(digestPeriods).meta({
      description:
        'A mail with what finished, failed, and waits: every day, or on Mondays. None is sent if there is nothing to tell.',
    }),
    digest_time: z.string().meta({ description: timeAbout }),
  })
  .meta({ id: 'NotificationSettings' });

/** The fields of notification.set: what is left out stays. */
export const notificationFields = {
  topics: optional(z.object(topics).partial()).meta({
    description: 'The ways of notifying of each kind of event; an empty list for none.',
  }),
  time_zone: optional(z.string()).meta({ description: 'Name of a time zone, such as `Europe/Berlin`.' }),
  quiet_hours: optional(z.string()).meta({ description: quietAbout }),
  digest: optional(z.enum(digestPeriods)),
  digest_time: optional(z.string()).meta({ description: timeAbout }),
};

function formatMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function readMinute(text: string, field: string): number {
  const [, hour = '', minute = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour === '') throw invalidField(field, 'takes times from 00:00 to 23:59');
  return Number(hour) * 60 + Number(minute);
}

export function presentSettings(settings: NotificationSettings): z.input<typeof notificationObject> {
  const { topics: wanted, timeZone, quiet, digest, digestMinute } = settings;
  return {
    topics: {
      questions: [...wanted.questions],
      budget: [...wanted.budget],
      failures: [...wanted.failures],
      finished: [...wanted.finished],
    },
    time_zone: timeZone,
    quiet_hours: quiet === null ? '' : `${formatMinute(quiet.fromMinute)}-${formatMinute(quiet.toMinute)}`,
    digest,
    digest_time: formatMinute(digestMinute),
  };
}

type Input = z.output<z.ZodObject<typeof notificationFields>>;

function readQuiet(text: string): NotificationSettings['quiet'] {
  if (text === '') return null;
  const [from = '', to = '', ...more] = text.split('-');
  if (more.length > 0) throw invalidField('quiet_hours', 'must be hours such as 22:00-07:00, or empty for none');
  const [fromMinute, toMinute] = [readMinute(from, 'quiet_hours'), readMinute(to, 'quiet_hours')];
  if (fromMinute === toMinute) throw invalidField('quiet_hours', 'must begin and end at different times; empty is none');
  return { fromMinute, toMinute };
}

/** What of the settings changes; throws 400 for what is no time or zone, or for a way that this service does not have. */
export function readChange(
  input: Input,
  current: NotificationSettings,
  { hasMail, hasChats }: { hasMail: boolean; hasChats: boolean },
): Partial<NotificationSettings> {
  const { topics: named, time_zone: zone, quiet_hours: quiet, digest, digest_time: digestTime } = input;
  const given = Object.entries(named ?? {}).filter(([, wanted]) => wanted !== undefined);
  const wantsMail = given.some(([, wanted]) => wanted?.includes('email')) || (digest !== undefined && digest !== 'none');
  if (wantsMail && !hasMail) {
    const field = digest === undefined || digest === 'none' ? 'topics' : 'digest';
    throw invalidField(field, 'this service sends no mail until its operator sets ERRAND_MAIL_SERVER and ERRAND_MAIL_FROM');
  }
  if (!hasChats && given.some(([, wanted]) => wanted?.includes('chat'))) {
    throw invalidField('topics', 'this service has no chats until its operator sets up a bot for Telegram or Slack');
  }
  return {
    ...(given.length > 0 && {
      topics: { ...current.topics, ...Object.fromEntries(given.map(([topic, wanted]) => [topic, [...new Set(wanted)]])) },
    }),
    ...(zone !== undefined && { timeZone: readTimeZone(zone) }),
    ...(quiet !== undefined && { quiet: readQuiet(quiet) }),
    ...(digest !== undefined && { digest }),
    ...(digestTime !== undefined && { digestMinute: readMinute(digestTime, 'digest_time') }),
  };
}
