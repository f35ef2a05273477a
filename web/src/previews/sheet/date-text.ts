import type { FormatToken } from './format-code.ts';

const dayMs = 86_400_000;
/** Day 0 of spreadsheets from March 1, 1900; earlier dates include a day that did not exist. */
const firstDayMs = Date.UTC(1899, 11, 30);
const lastDay = 2_958_466;

const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The serial number of a date. */
export function serialOfDate(date: Date): number {
  const days = (date.getTime() - firstDayMs) / dayMs;
  return days < 61 ? days - 1 : days;
}

const pad = (value: number, length: number) => String(value).padStart(length, '0');

/** Minutes after hours or before seconds, months elsewhere; a fraction of a second belongs to the part before it. */
function resolve(tokens: readonly FormatToken[]): FormatToken[] {
  const isTime = (token: FormatToken | undefined, letter: string) =>
    (token?.kind === 'date' || token?.kind === 'elapsed') && token.letters.startsWith(letter);
  const dated = tokens.map((token, at) => ({ token, at })).filter(({ token }) => ['date', 'elapsed'].includes(token.kind));
  const minutes = new Set(
    dated.flatMap(({ token, at }, index) => {
      const isMinute = isTime(dated[index - 1]?.token, 'h') || isTime(dated[index + 1]?.token, 's');
      return isTime(token, 'm') && isMinute ? [at] : [];
    }),
  );
  const resolved: FormatToken[] = [];
  let hadSeconds = false;
  for (const [at, token] of tokens.entries()) {
    const last = resolved.at(-1);
    if (token.kind === 'digit' && last?.kind === 'fraction') resolved[resolved.length - 1] = { ...last, digits: last.digits + 1 };
    else if (token.kind === 'point' && hadSeconds && tokens[at + 1]?.kind === 'digit')
      resolved.push({ kind: 'fraction', digits: 0 });
    else if (token.kind === 'date' && minutes.has(at))
      resolved.push({ kind: 'date', letters: token.letters.replaceAll('m', 'n') });
    else resolved.push(token);
    hadSeconds ||= isTime(token, 's');
  }
  return resolved;
}

function nameMonth(month: number, length: number): string {
  const name = months[month] ?? '';
  if (length === 3) return name.slice(0, 3);
  if (length === 5) return name.slice(0, 1);
  return length === 4 ? name : pad(month + 1, Math.min(2, length));
}

function writeDate(letters: string, date: Date, isHalf: boolean): string {
  const { length } = letters;
  switch (letters[0]) {
    case 'y':
      return length > 2 ? String(date.getUTCFullYear()) : pad(date.getUTCFullYear() % 100, 2);
    case 'm':
      return nameMonth(date.getUTCMonth(), length);
    case 'd':
      if (length > 2) return (weekdays[date.getUTCDay()] ?? '').slice(0, length === 3 ? 3 : undefined);
      return pad(date.getUTCDate(), length);
    case 'h':
      return pad(isHalf ? date.getUTCHours() % 12 || 12 : date.getUTCHours(), Math.min(2, length));
    case 'n':
      return pad(date.getUTCMinutes(), Math.min(2, length));
    default:
      return pad(date.getUTCSeconds(), Math.min(2, length));
  }
}

const secondsOf: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** A number as a date or duration; null if it is invalid. */
export function writeDateTokens(tokens: readonly FormatToken[], serial: number): string | null {
  const resolved = resolve(tokens);
  const isElapsed = tokens.some(({ kind }) => kind === 'elapsed');
  if (Math.abs(serial) >= lastDay || (serial < 0 && !isElapsed)) return null;
  const digits = resolved.find((token) => token.kind === 'fraction')?.digits ?? 0;
  const unitMs = 1000 / 10 ** Math.min(3, digits);
  const days = serial < 61 && !isElapsed ? serial + 1 : serial;
  // Times are truncated, durations rounded. The small addition compensates for binary fractions.
  const wholeMs = Math.floor((Math.abs(days) * dayMs) / unitMs + (isElapsed || digits > 0 ? 0.5 : 0.01)) * unitMs;
  const date = new Date(firstDayMs + wholeMs);
  const isHalf = resolved.some(({ kind }) => kind === 'half');
  const text = resolved.map((token) => {
    if (token.kind === 'text') return token.text;
    if (token.kind === 'date') return writeDate(token.letters, date, isHalf);
    if (token.kind === 'elapsed') {
      const unit = secondsOf[token.letters[0] ?? ''] ?? 1;
      return pad(Math.floor(wholeMs / 1000 / unit), token.letters.length);
    }
    if (token.kind === 'fraction')
      return `.${pad(date.getUTCMilliseconds(), 3).padEnd(token.digits, '0').slice(0, token.digits)}`;
    if (token.kind === 'half') return token.signs[date.getUTCHours() < 12 ? 0 : 1];
    return { slash: '/', point: '.', comma: ',', percent: '%' }[token.kind as string] ?? '';
  });
  return (serial < 0 ? '-' : '') + text.join('');
}
