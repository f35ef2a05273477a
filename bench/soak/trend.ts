import { mean, median } from '../report/statistics.ts';

/** A value at a moment, in minutes. */
export interface Point {
  minute: number;
  value: number;
}

export type Verdict = 'FLAT' | 'GROWING' | 'TOO SHORT';

export interface Trend {
  verdict: Verdict;
  /** Growth in an hour, by the least squares line. */
  perHour: number;
  /** What it grew over the time that counts. */
  growth: number;
  /** What it may grow in that time. */
  tolerance: number;
}

/** Fewer points than these say nothing. */
const fewestPoints = 8;
/** The start of a run, in which caches fill, as a share of it. */
const warmUpShare = 0.25;
/** A slope smaller than this many standard errors can be chance. */
const certainty = 3;

/** The least squares line through the points: slope per minute, and the standard error of the slope. */
function fitLine(points: readonly Point[]): { slope: number; error: number } {
  const middle = mean(points.map(({ minute }) => minute));
  const level = mean(points.map(({ value }) => value));
  const spread = points.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0);
  const slope = points.reduce((sum, { minute, value }) => sum + (minute - middle) * (value - level), 0) / spread;
  const rest = points.reduce((sum, { minute, value }) => sum + (value - level - slope * (minute - middle)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) };
}

/** Values that lie out of the ordinary high or low for one moment become the middle one of three. */
function smooth(points: readonly Point[]): Point[] {
  return points.map(({ minute }, index) => ({
    minute,
    value: median(points.slice(Math.max(0, index - 1), index + 2).map(({ value }) => value)),
  }));
}

/**
 * Whether values grow: the line through them rises beyond chance, and by more than the tolerance. The first quarter does not count.
 * @param tolerance absolute, for the whole time that counts
 */
export function findTrend(points: readonly Point[], tolerance: number): Trend {
  const counted = smooth(points.slice(Math.floor(points.length * warmUpShare)));
  const [first, last] = [counted[0], counted.at(-1)];
  if (!first || !last || counted.length < fewestPoints) {
    return { verdict: 'TOO SHORT', perHour: Number.NaN, growth: Number.NaN, tolerance };
  }
  const { slope, error } = fitLine(counted);
  const growth = slope * (last.minute - first.minute);
  const isGrowing = growth > tolerance && slope > certainty * error;
  return { verdict: isGrowing ? 'GROWING' : 'FLAT', perHour: slope * 60, growth, tolerance };
}
