import { useMemo } from 'react';
import { useLocale } from './locale.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export interface Format {
  number(value: number): string;
  /** Credits have at most two decimals. */
  credits(value: number): string;
  /** Large numbers in few characters, such as 1.2M. */
  compact(value: number): string;
  /** An amount in a currency, as in ISO 4217; fractions of its smallest unit are shown. */
  money(amount: number, currency: string): string;
  percent(part: number): string;
  /** File sizes, in steps of 1000 as operating systems show them. */
  bytes(count: number): string;
  /** A number with its sign, for changes. */
  signed(value: number): string;
  date(ms: number): string;
  /** Day and month, in UTC as days are counted. */
  day(ms: number): string;
  /** A time to the minute, for what people plan. */
  minute(ms: number): string;
  /** A time to the second, for titles and logs. */
  dateTime(ms: number): string;
  time(ms: number): string;
  /** `3 minutes ago`, `in 2 hours`; the date if that is more than a week away. */
  relative(ms: number, nowMs: number): string;
  /** A time to the minute with the day of the week, in a time zone; in the browser's own if it does not know the zone. */
  zoned(ms: number, timeZone: string): string;
  /** Month and year by the clock of this browser. */
  month(ms: number): string;
  /** The name of a day of the week; Sunday is 0. */
  weekday(day: number): string;
  /** `30 minutes`. */
  count(value: number, unit: 'second' | 'minute' | 'hour' | 'day'): string;
  /** `1 min 20 s`. */
  duration(ms: number): string;
  /** Times of machines, such as `12 ms`. */
  milliseconds(ms: number): string;
  list(items: readonly string[]): string;
}

function formatDuration(locale: string, ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ];
  const shown = parts.filter(([value]) => value > 0).slice(0, 2);
  const units = shown.length > 0 ? shown : parts.slice(2);
  return units
    .map(([value, unit]) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(value))
    .join(' ');
}

function formatBytes(locale: string, count: number): string {
  const step = Math.min(byteUnits.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3));
  const unit = byteUnits[step] ?? 'byte';
  const value = count / 1000 ** step;
  const maximumFractionDigits = step > 0 && value < 100 ? 1 : 0;
  // The short form of a byte has no plural in English.
  const unitDisplay = step === 0 ? 'long' : 'short';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value);
}

/** Days of the calendar from one time to another, by the clock of this browser: tomorrow is 1 away, even if it begins in an hour. */
function countDays(fromMs: number, toMs: number): number {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  // Days at which the clock is changed are an hour longer or shorter.
  return Math.round((midnight(toMs) - midnight(fromMs)) / dayMs);
}

/** Some Sunday, in UTC. */
const sunday = Date.UTC(2023, 0, 1);

const zonedFormats = new Map<string, Intl.DateTimeFormat>();

function zonedFormat(locale: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`;
  const known = zonedFormats.get(key);
  if (known) return known;
  const parts = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const;
  const create = (zone?: string) =>
    new Intl.DateTimeFormat(locale, { ...parts, hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone: zone });
  let made: Intl.DateTimeFormat;
  try {
    made = create(timeZone);
  } catch {
    made = create();
  }
  zonedFormats.set(key, made);
  return made;
}

/** Formats numbers, sizes and times in a locale. */
export function createFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale);
  const credits = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, signDisplay: 'exceptZero' });
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const milliseconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  const list = new Intl.ListFormat(locale, { style: 'long', type: 'conjunction' });
  return {
    number: (value) => number.format(value),
    credits: (value) => credits.format(value),
    compact: (value) => compact.format(value),
    money: (amount, currency) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        maximumFractionDigits: Math.abs(amount) < 0.1 ? 4 : 2,
      }).format(amount),
    percent: (part) => percent.format(part),
    bytes: (count) => formatBytes(locale, count),
    signed: (value) => signed.format(value),
    day: (ms) => day.format(ms),
    date: (ms) => date.format(ms),
    minute: (ms) => minute.format(ms),
    dateTime: (ms) => dateTime.format(ms),
    time: (ms) => time.format(ms),
    relative: (ms, nowMs) => {
      const distanceMs = Math.abs(nowMs - ms);
      const whole = (unitMs: number) => Math.sign(ms - nowMs) * Math.floor(distanceMs / unitMs);
      if (distanceMs < minuteMs) return relative.format(0, 'second');
      if (distanceMs < hourMs) return relative.format(whole(minuteMs), 'minute');
      if (distanceMs < dayMs) return relative.format(whole(hourMs), 'hour');
      return distanceMs < 7 * dayMs ? relative.format(countDays(nowMs, ms), 'day') : date.format(ms);
    },
    zoned: (ms, timeZone) => zonedFormat(locale, timeZone).format(ms),
    month: (ms) => month.format(ms),
    weekday: (index) => weekday.format(sunday + index * dayMs),
    count: (value, unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
    milliseconds: (ms) => milliseconds.format(ms),
    duration: (ms) => formatDuration(locale, ms),
    list: (items) => list.format(items),
  };
}

const formats = new Map<string, Format>();

/** Formats numbers, sizes and times in the current locale. */
export function useFormat(): Format {
  const { tag } = useLocale();
  return useMemo(() => {
    const format = formats.get(tag) ?? createFormat(tag);
    formats.set(tag, format);
    return format;
  }, [tag]);
}
