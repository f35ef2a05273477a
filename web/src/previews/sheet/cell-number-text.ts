import type { FormatToken } from './format-code.ts';

/** Rounds half up, even if the binary number is slightly less. */
function roundTo(value: number, digits: number): string {
  const text = String(value);
  if (text.includes('e') || digits > 15) return value.toFixed(Math.min(digits, 20));
  return Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`).toFixed(digits);
}

interface DigitCount {
  before: number;
  after: number;
  /** Each comma after the last placeholder divides by a thousand. */
  thousands: number;
  isGrouped: boolean;
}

function measure(tokens: readonly FormatToken[]): DigitCount {
  const end = tokens.findIndex(({ kind }) => kind === 'power');
  const own = end < 0 ? tokens : tokens.slice(0, end);
  const point = own.findIndex(({ kind }) => kind === 'point');
  const isDigit = ({ kind }: FormatToken) => kind === 'digit';
  const whole = point < 0 ? own : own.slice(0, point);
  const [first, last] = [whole.findIndex(isDigit), whole.findLastIndex(isDigit)];
  const isGrouped = whole.slice(first, last + 1).some(({ kind }) => kind === 'comma');
  const scale = point < 0 ? whole.slice(last + 1) : own.slice(own.findLastIndex(isDigit) + 1);
  return {
    before: whole.filter(isDigit).length,
    after: point < 0 ? 0 : own.slice(point).filter(isDigit).length,
    thousands:
      scale.filter(({ kind }) => kind === 'comma').length +
      (point < 0 ? 0 : whole.slice(last + 1).filter(({ kind }) => kind === 'comma').length),
    isGrouped,
  };
}

const empty = { '0': '0', '#': '', '?': ' ' };

/** Fills the placeholders of a format with digits, from the point outward; extra digits go before the first one. */
function fill(tokens: readonly FormatToken[], digits: string, { before, isGrouped }: DigitCount, rest: string): string {
  const [whole = '', part = ''] = digits.split('.');
  const kept = whole === '0' ? '' : whole;
  let [place, behind, isBehind] = [0, 0, false];
  const group = (text: string, fromPoint: number) =>
    isGrouped
      ? text.replaceAll(/\d/g, (digit, at: number) => ((fromPoint - at) % 3 === 0 && fromPoint > at ? `${digit},` : digit))
      : text;
  const lastShown = part.replace(/0+$/, '').length;
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const hasZero = tokens.slice(point).some((token) => token.kind === 'digit' && token.sign !== '#');
  return tokens
    .map((token) => {
      if (token.kind === 'text') return token.text;
      if (token.kind === 'percent') return '%';
      if (token.kind === 'power') return rest;
      if (token.kind === 'point') {
        isBehind = true;
        return lastShown > 0 || hasZero ? '.' : '';
      }
      if (token.kind !== 'digit') return '';
      if (isBehind) {
        const at = behind++;
        return at < lastShown || token.sign === '0' ? (part[at] ?? '0') : empty[token.sign];
      }
      const fromPoint = before - 1 - place;
      const over = place++ === 0 ? kept.slice(0, Math.max(0, kept.length - before)) : '';
      const digit = kept[kept.length - 1 - fromPoint] ?? empty[token.sign];
      return group(over + digit, fromPoint + over.length);
    })
    .join('');
}

const split = (tokens: readonly FormatToken[]) => {
  const at = tokens.findIndex(({ kind }) => kind === 'power');
  return { front: tokens.slice(0, at + 1), behind: tokens.slice(at + 1) };
};

function writePower(tokens: readonly FormatToken[], value: number): string {
  const { front, behind } = split(tokens);
  const places = measure(front);
  const step = Math.max(1, places.before);
  const size = value === 0 ? 0 : Math.floor(Math.log10(value));
  let power = Math.floor(size / step) * step;
  let digits = roundTo(value / 10 ** power, places.after);
  if (Number(digits) >= 10 ** step) {
    power += step;
    digits = roundTo(value / 10 ** power, places.after);
  }
  const zeros = behind.filter(({ kind }) => kind === 'digit').length;
  const mark = front.at(-1);
  const plus = mark?.kind === 'power' && mark.showsPlus ? '+' : '';
  const sign = power < 0 ? '-' : plus;
  const tail = behind.map((token) => (token.kind === 'text' ? token.text : '')).join('');
  return fill(front, digits, places, `E${sign}${String(Math.abs(power)).padStart(zeros, '0')}`) + tail;
}

/** The nearest fraction below one with a limited denominator, from its continued fraction. */
function findFraction(value: number, most: number): [number, number] {
  let best: [number, number] = [Math.round(value), 1];
  for (let below = 1; below <= most; below++) {
    const above = Math.round(value * below);
    if (Math.abs(value - above / below) < Math.abs(value - best[0] / best[1]) - 1e-12) best = [above, below];
  }
  return best;
}

function writeFraction(tokens: readonly FormatToken[], value: number): string {
  const slash = tokens.findIndex(({ kind }) => kind === 'slash');
  const isDigit = ({ kind }: FormatToken) => kind === 'digit';
  const below = tokens.slice(slash + 1);
  const places = below.filter(isDigit).length;
  const fixed = Number(below.map((token) => (token.kind === 'text' ? token.text : '')).join(''));
  const front = tokens.slice(0, slash);
  const gap = front.findIndex((token, at) => token.kind === 'text' && token.text === ' ' && front.slice(0, at).some(isDigit));
  const hasWhole = gap > 0;
  const whole = hasWhole ? Math.floor(value) : 0;
  const part = value - whole;
  const [above, under] =
    places === 0 && fixed > 0 ? [Math.round(part * fixed), fixed] : findFraction(part, Math.min(999, 10 ** places - 1));
  const shown = above === under && hasWhole ? whole + 1 : whole;
  const isWhole = hasWhole && (above === 0 || above === under);
  const number = hasWhole && (shown > 0 || isWhole) ? String(shown) : '';
  return isWhole ? number : `${number} ${above}/${under}`.trim();
}

/** Formats a number without its sign by the tokens of a format section. */
export function writeNumberTokens(tokens: readonly FormatToken[], value: number): string {
  const kinds = new Set(tokens.map(({ kind }) => kind));
  if (kinds.has('slash') && kinds.has('digit')) return writeFraction(tokens, value);
  const percents = tokens.filter(({ kind }) => kind === 'percent').length;
  if (kinds.has('power')) return writePower(tokens, value * 100 ** percents);
  const places = measure(tokens);
  // Not with a power of 100, which turns 0.07 into 7.000000000000001.
  const moved = Number(`${value}e${percents * 2 - places.thousands * 3}`);
  const scaled = Number.isNaN(moved) ? (value * 100 ** percents) / 1000 ** places.thousands : moved;
  return fill(tokens, roundTo(scaled, places.after), places, '');
}
