import type { InboxType } from '../inbox/inbox-item.ts';
import { momentOf, wallTimeAt } from '../schedules/time-zone.ts';

/** What people can be notified of. */
const noticeTopics = ['questions', 'budget', 'failures', 'finished'] as const;
export type NoticeTopic = (typeof noticeTopics)[number];

/** Where they can be notified. */
export const noticeChannels = ['push', 'email', 'chat'] as const;
export type NoticeChannel = (typeof noticeChannels)[number];

export const digestPeriods = ['none', 'daily', 'weekly'] as const;
export type DigestPeriod = (typeof digestPeriods)[number];

/** What happened, as a notification tells it. */
export type NoticeKind = InboxType | 'finished' | 'assigned' | 'digest' | 'test';

/** What a person has chosen. Times are minutes since midnight in their time zone. */
export interface NotificationSettings {
  topics: Readonly<Record<NoticeTopic, readonly NoticeChannel[]>>;
  timeZone: string;
  /** Hours in which nothing is sent; null for none. */
  quiet: { fromMinute: number; toMinute: number } | null;
  digest: DigestPeriod;
  digestMinute: number;
}

/** The settings of a person who has chosen nothing yet. */
export const usualSettings: NotificationSettings = {
  topics: { questions: ['push'], budget: ['push'], failures: ['push'], finished: ['push'] },
  timeZone: 'UTC',
  quiet: null,
  digest: 'none',
  digestMinute: 8 * 60,
};

const topicOf: Readonly<Record<Exclude<NoticeKind, 'test' | 'digest'>, NoticeTopic>> = {
  ...{ question: 'questions', confirmation: 'questions', sign_in: 'questions', assigned: 'questions' },
  ...{ budget: 'budget', failure: 'failures', finished: 'finished' },
};

/** Where a person wants to be notified of this. */
export function channelsFor(kind: NoticeKind, { topics, digest }: NotificationSettings): readonly NoticeChannel[] {
  if (kind === 'test') return noticeChannels;
  if (kind === 'digest') return digest === 'none' ? [] : ['email'];
  return topics[topicOf[kind]];
}

const [minuteMs, dayMs] = [60_000, 86_400_000];

function dayStart(wallMs: number): number {
  return Math.floor(wallMs / dayMs) * dayMs;
}

/** When a notification may be sent: now, or when the quiet hours end. */
export function sendTime({ quiet, timeZone }: NotificationSettings, nowMs: number): number {
  if (quiet === null || quiet.fromMinute === quiet.toMinute) return nowMs;
  const wall = wallTimeAt(timeZone, nowMs);
  const midnight = dayStart(wall);
  const [from, to] = [midnight + quiet.fromMinute * minuteMs, midnight + quiet.toMinute * minuteMs];
  if (from < to) return wall >= from && wall < to ? Math.max(nowMs, momentOf(timeZone, to)) : nowMs;
  if (wall >= from) return Math.max(nowMs, momentOf(timeZone, to + dayMs));
  return wall < to ? Math.max(nowMs, momentOf(timeZone, to)) : nowMs;
}

/** Mondays, on which weekly digests are sent: day 0 of the epoch was a Thursday. */
function isMonday(midnight: number): boolean {
  return (midnight / dayMs + 3) % 7 === 0;
}

/** When the next digest is due after this moment; null if the person wants none. */
export function nextDigestTime(
  { digest, digestMinute, timeZone }: Pick<NotificationSettings, 'digest' | 'digestMinute' | 'timeZone'>,
  afterMs: number,
): number | null {
  if (digest === 'none') return null;
  const today = dayStart(wallTimeAt(timeZone, afterMs));
  // A zone may skip a whole day, so the week has one more.
  for (let day = 0; day <= 8; day += 1) {
    const midnight = today + day * dayMs;
    const at = momentOf(timeZone, midnight + digestMinute * minuteMs);
    if (at > afterMs && (digest === 'daily' || isMonday(midnight))) return at;
  }
  throw new Error('every week has a Monday');
}
