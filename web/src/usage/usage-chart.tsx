import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { chooseTicks, type DayUsage } from './daily-usage.ts';

const labelEvery = 7;
const height = 100;
/** The share of a day's width that its bar fills. */
const barPart = 0.7;

function Bar({ day, index, top }: { day: DayUsage; index: number; top: number }) {
  const { usage } = useText();
  const format = useFormat();
  const barHeight = day.credits > 0 ? Math.max(1, (day.credits / top) * height) : 0;
  return (
    <g className="group">
      <rect x={index} y={0} width={1} height={height} className="fill-transparent group-hover:fill-hover" />
      <rect x={index + (1 - barPart) / 2} y={height - barHeight} width={barPart} height={barHeight} className="fill-accent" />
      <title>{`${format.day(day.dayMs)}: ${usage.creditsUsed(day.credits, format.credits(day.credits))}`}</title>
    </g>
  );
}

/** The data of the chart as a table for screen readers. */
function DayTable({ days }: { days: readonly DayUsage[] }) {
  const { usage } = useText();
  const format = useFormat();
  return (
    <table className="sr-only">
      <caption>{usage.byDay}</caption>
      <tbody>
        {days
          .filter(({ credits }) => credits > 0)
          .map(({ dayMs, credits }) => (
            <tr key={dayMs}>
              <th scope="row">{format.day(dayMs)}</th>
              <td>{format.credits(credits)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

/** A bar chart of credits by day that fills the width: bars stretch, text does not. */
export function UsageChart({ days }: { days: readonly DayUsage[] }) {
  const format = useFormat();
  const ticks = chooseTicks(Math.max(...days.map(({ credits }) => credits)));
  const top = ticks.at(-1) ?? 1;
  const labelled = days
    .map((day, index) => ({ ...day, index }))
    .filter(({ index }) => (days.length - 1 - index) % labelEvery === 0);
  return (
    <figure className="text-xs text-soft">
      <div aria-hidden className="relative ml-10 h-44">
        {ticks.map((tick) => (
          <div key={tick} className="absolute inset-x-0 border-t border-line" style={{ bottom: `${(tick / top) * 100}%` }}>
            <span className="absolute -top-2.5 right-full pr-2 tabular-nums">{format.number(tick)}</span>
          </div>
        ))}
        <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" className="absolute inset-0 size-full">
          {days.map((day, index) => (
            <Bar key={day.dayMs} day={day} index={index} top={top} />
          ))}
        </svg>
      </div>
      <div aria-hidden className="relative mt-1.5 ml-10 h-5">
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
      <DayTable days={days} />
    </figure>
  );
}
