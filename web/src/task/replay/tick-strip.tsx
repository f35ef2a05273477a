import { memo } from 'react';
import type { Chapter, Step } from '../conversation/step.ts';

/** The drawing's own units. */
const width = 1_000;
const height = 24;
/** More steps share ticks, so that a run of any length is drawn as fast. */
const mostTicks = 500;

/** How high a tick begins, so that no difference is by color alone: failures are highest and boldest, calls lowest. */
const tops = { call: 13, talk: 7, failed: 0 };
type Tick = keyof typeof tops;

const looks: Record<Tick, string> = {
  call: 'stroke-edge [stroke-width:1.5px]',
  talk: 'stroke-accent [stroke-width:1.5px]',
  failed: 'stroke-bad [stroke-width:3px]',
};

function tickOf({ kind, isFailed }: Step): Tick {
  if (isFailed) return 'failed';
  return kind === 'call' ? 'call' : 'talk';
}

/** The place of a step on the strip, from 0 to 1. */
export function placeOf(at: number, count: number): number {
  return count > 1 ? at / (count - 1) : 1;
}

/** The path of all ticks of a kind. */
function draw(places: ReadonlySet<number>, tick: Tick): string {
  return [...places].map((place) => `M${place} ${tops[tick]}V${height}`).join('');
}

interface TickStripProps {
  /** Grows in place: `count` says when. */
  steps: readonly Step[];
  count: number;
  chapters: readonly Chapter[];
  chapterCount: number;
}

/** A tick for each step of a run, as a drawing of four paths whatever the number of steps. */
export const TickStrip = memo(({ steps, count, chapters }: TickStripProps) => {
  const columns = Math.min(mostTicks, Math.max(1, count - 1));
  const columnOf = (at: number) => (Math.round(placeOf(at, count) * columns) / columns) * width;
  const places: Record<Tick, Set<number>> = { call: new Set(), talk: new Set(), failed: new Set() };
  for (let at = 0; at < count; at += 1) {
    const step = steps[at];
    if (step) places[tickOf(step)].add(columnOf(at));
  }
  const phases = new Set(chapters.filter(({ from }) => from < count).map(({ from }) => columnOf(from)));
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="size-full overflow-visible">
      <path
        d={[...phases].map((place) => `M${place} 0V${height}`).join('')}
        vectorEffect="non-scaling-stroke"
        className="fill-none stroke-edge [stroke-dasharray:2_3] [stroke-width:1px]"
      />
      {(['call', 'talk', 'failed'] as const).map((tick) => (
        <path key={tick} d={draw(places[tick], tick)} vectorEffect="non-scaling-stroke" className={`fill-none ${looks[tick]}`} />
      ))}
    </svg>
  );
});
TickStrip.displayName = 'TickStrip';
