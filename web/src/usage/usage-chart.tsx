import { useFormat } from '../text/format.ts';
import { chooseTicks, type DayValue } from './daily-usage.ts';

/** The most days without a label between two with one, for a month; in proportion for longer times. */
const labels = 5;
const height = 100;
/** The share of a day's width that its bar fills. */
const barPart = 0.7;

function Bar({ day, index, top, read }: { day: DayValue; index: number; top: number; read(value: number): string }) {
  const format = useFormat();
  const barHeight = day.value > 0 ? Math.max(1, (day.value / top) * height) : 0;
  return (
    <g className="group">
      <rect x={index} y={0} width={1} height={height} className="fill-transparent group-hover:fill-hover" />
      <rect x={index + (1 - barPart) / 2} y={height - barHeight} width={barPart} height={barHeight} className="fill-accent" />
      <title>{`${format.day(day.dayMs)}: ${read(day.value)}`}</title>
    </g>
  );
}

export interface UsageChartProps {
  days: readonly DayValue[];
  caption: string;
  /** The least distance between two ticks. */
  smallest: number;
  /** A value in words. */
  read(value: number): string;
  /** The same for an axis. */
  readShort(value: number): string;
}

/** The data of the chart as a table for screen readers. */
function DayTable({ days, caption, read }: Omit<UsageChartProps, 'smallest' | 'readShort'>) {
  const format = useFormat();
  return (
    <table className="sr-only">
      <caption>{caption}</caption>
      <tbody>
        {days
          .filter(({ value }) => value > 0)
          .map(({ dayMs, value }) => (
            <tr key={dayMs}>
              <th scope="row">{format.day(dayMs)}</th>
              <td>{read(value)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

/** A bar chart of a value by day that fills the width: bars stretch, text does not. */
export function UsageChart({ days, caption, smallest, read, readShort }: UsageChartProps) {
  const format = useFormat();
  const ticks = chooseTicks(Math.max(...days.map(({ value }) => value)), smallest);
  const labelEvery = Math.max(1, Math.ceil(days.length / labels));
  const top = ticks.at(-1) ?? 1;
  const labelled = days
    .map((day, index) => ({ ...day, index }))
    .filter(({ index }) => (days.length - 1 - index) % labelEvery === 0);
  return (
    <figure className="text-xs text-soft">
      <div aria-hidden className="relative ml-14 h-44">
        {ticks.map((tick) => (
          <div key={tick} className="absolute inset-x-0 border-t border-line" style={{ bottom: `${(tick / top) * 100}%` }}>
            <span className="absolute -top-2.5 right-full pr-2 tabular-nums">{readShort(tick)}</span>
          </div>
        ))}
        <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" className="absolute inset-0 size-full">
          {days.map((day, index) => (
            <Bar key={day.dayMs} day={day} index={index} top={top} read={read} />
          ))}
        </svg>
      </div>
      <div aria-hidden className="relative mt-1.5 ml-14 h-5">
        {labelled.map(({ dayMs, index }) => (
          <span
            key={dayMs}
            className="absolute -translate-x-full whitespace-nowrap first:translate-x-0 max-sm:even:hidden"
            style={{ left: `${((index + (index < labelEvery ? 0 : 1)) / days.length) * 100}%` }}
          >
            {format.day(dayMs)}
          </span>
        ))}
      </div>
      <DayTable days={days} caption={caption} read={read} />
    </figure>
  );
}
