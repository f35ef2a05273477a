/** As wide as a plus; a hyphen is not. */
const minus = '\u2212';

/** A number for people: `1,234.5` and `−0.3`, at most `digits` and at least `least` decimals, without an exponent below 10^15. */
export function formatNumber(value: number, digits = 2, least = 0): string {
  const size = Math.abs(value);
  const isPlain = size === 0 || (size < 1e15 && size >= 10 ** -digits / 2);
  const text = isPlain
    ? value.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: digits })
    : value.toPrecision(3);
  return text.replace(/^-/, minus);
}

/** The decimals, 0 to 2, with which all of these numbers have equally many; null if some are so large that they are shortened. */
export function countDecimals(values: readonly number[]): number | null {
  if (values.some((value) => Math.abs(value) >= 10_000 || (value !== 0 && Math.abs(value) < 0.005))) return null;
  return values.reduce((most, value) => Math.max(most, (/\.(\d+)$/.exec(formatNumber(value))?.[1] ?? '').length), 0);
}

const steps: readonly [number, string][] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Short forms for axes: `1.2M`. Up to 9,999 in full. */
export function formatShort(value: number): string {
  const step = Math.abs(value) < 10_000 ? undefined : steps.find(([size]) => Math.abs(value) >= size);
  return step ? `${formatNumber(value / step[0], 1)}${step[1]}` : formatNumber(value);
}

/** Currency signs precede a number, other units follow it, words with a space. */
export function addUnit(text: string, unit: string): string {
  if (/^\p{L}{2}/u.test(unit)) return `${text}\u00a0${unit}`;
  if (!/^\p{Sc}$/u.test(unit)) return `${text}${unit}`;
  return text.startsWith(minus) ? `${minus}${unit}${text.slice(1)}` : `${unit}${text}`;
}
