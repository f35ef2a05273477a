import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wallTimeAt } from '../schedules/time-zone.ts';
import { channelsFor, nextDigestTime, type NotificationSettings, sendTime, usualSettings } from './notification-settings.ts';

const zones = Intl.supportedValuesOf('timeZone');
const [minuteMs, dayMs] = [60_000, 86_400_000];
const moments = fc.integer({ min: 1_577_836_800_000, max: 1_924_992_000_000 });
const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
const minuteAt = (zone: string, atMs: number) => Math.floor((wallTimeAt(zone, atMs) % dayMs) / minuteMs);

it('quiet hours hold back what falls into them until they end, and nothing else, in every zone', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, minutes, minutes, (timeZone, now, fromMinute, toMinute) => {
      const at = sendTime({ ...usualSettings, timeZone, quiet: { fromMinute, toMinute } }, now);
      const minute = minuteAt(timeZone, now);
      const isQuiet =
        fromMinute < toMinute
          ? minute >= fromMinute && minute < toMinute
          : fromMinute !== toMinute && (minute >= fromMinute || minute < toMinute);
      if (!isQuiet) expect(at).toBe(now);
      else expect(at).toBeGreaterThanOrEqual(now);
      expect(at - now).toBeLessThanOrEqual(dayMs + 2 * 3_600_000);
    }),
  );
});

it('a night ends in the morning of the person', () => {
  const quiet = { fromMinute: 22 * 60, toMinute: 7 * 60 };
  const settings: NotificationSettings = { ...usualSettings, timeZone: 'Europe/Berlin', quiet };
  const at = (text: string) => new Date(sendTime(settings, Date.parse(text))).toISOString();
  expect(at('2026-01-10T20:59:00Z')).toBe('2026-01-10T20:59:00.000Z');
  expect(at('2026-01-10T21:00:00Z')).toBe('2026-01-11T06:00:00.000Z');
  expect(at('2026-01-11T05:59:59Z')).toBe('2026-01-11T06:00:00.000Z');
  // Clocks are set forward in this night.
  expect(at('2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
});

it('digests are due once a day, or on Mondays, at the same time on the clocks of the zone', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, minutes, fc.boolean(), (timeZone, now, digestMinute, isWeekly) => {
      const digest = isWeekly ? 'weekly' : 'daily';
      const next = nextDigestTime({ digest, digestMinute, timeZone }, now);
      if (next === null) throw new Error('a digest is wanted');
      expect(next).toBeGreaterThan(now);
      expect(next - now).toBeLessThanOrEqual((isWeekly ? 8 : 2) * dayMs);
      if (isWeekly) expect(new Date(wallTimeAt(timeZone, next)).getUTCDay()).toBe(1);
    }),
  );
  expect(nextDigestTime({ ...usualSettings, digest: 'none' }, 0)).toBeNull();
});

it('each kind goes where its topic is wanted', () => {
  const settings: NotificationSettings = {
    ...usualSettings,
    topics: { questions: ['push', 'email'], budget: [], failures: ['email'], finished: ['push'] },
  };
  expect((['question', 'confirmation', 'sign_in', 'assigned'] as const).map((kind) => channelsFor(kind, settings))).toEqual(
    Array(4).fill(['push', 'email']),
  );
  expect((['budget', 'failure', 'finished', 'digest'] as const).map((kind) => channelsFor(kind, settings))).toEqual([
    [],
    ['email'],
    ['push'],
    [],
  ]);
});
