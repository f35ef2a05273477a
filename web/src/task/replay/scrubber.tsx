import { CircleX, SkipForward } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import type { Conversation } from '../conversation/conversation.ts';
import { lineOf, titleOf } from '../workbench/step-words.ts';
import { ChapterLabels } from './chapter-labels.tsx';
import './scrubber.css';
import { placeOf, TickStrip } from './tick-strip.tsx';

/** A pointer that moves further drags. Pixels. */
const clickPx = 4;

export interface ScrubberProps {
  /** The conversation with all steps. */
  live: Conversation;
  /** The event whose moment is shown; null for the present. */
  moment: string | null;
  onSeek(eventId: string | null): void;
  /** Opens the trace of a step; null where there is none. */
  onTrace: ((eventId: string) => void) | null;
}

/** The position of the shown step; the last one at present. */
function findAt({ steps }: Conversation, moment: string | null): number {
  const found = moment === null ? -1 : steps.findLastIndex(({ key }) => key <= moment);
  return found < 0 ? steps.length - 1 : found;
}

/** What the shown step is, in words. */
function useStepLabel(live: Conversation, at: number) {
  const text = useText();
  const format = useFormat();
  const step = live.steps[at];
  if (!step) return { position: '', words: '', full: '' };
  const position = text.workbench.step(format.number(at + 1), format.number(live.steps.length));
  const phase = live.chapters.findLast(({ from }) => from <= at)?.title ?? null;
  const failed = step.isFailed ? [text.workbench.failed] : [];
  const words = [titleOf(step, text), lineOf(step)].join(' ').trim();
  const what = [words, ...failed, ...(phase === null ? [] : [phase])].join(', ');
  return { position, words, full: text.workbench.stepAt(position, what, format.dateTime(step.atMs)) };
}

interface SliderProps extends Omit<ScrubberProps, 'moment'> {
  at: number;
  label: string;
}

/** The strip of ticks, below a slider that people drag, press, or move by keys. */
function Slider({ live, at, label, onSeek, onTrace }: SliderProps) {
  const { workbench } = useText();
  const { steps, chapters } = live;
  const pressedX = useRef<number | null>(null);
  const seek = (position: number) => onSeek(position >= steps.length ? null : (steps[position - 1]?.key ?? null));
  const trace = (position: number) => {
    const step = steps[position - 1];
    if (step) onTrace?.(step.key);
  };
  const onPointerUp = ({ clientX, currentTarget }: PointerEvent<HTMLInputElement>) => {
    const isClick = pressedX.current !== null && Math.abs(clientX - pressedX.current) <= clickPx;
    pressedX.current = null;
    if (isClick) trace(currentTarget.valueAsNumber);
  };
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Enter') trace(currentTarget.valueAsNumber);
  };
  return (
    <div className="relative h-8">
      <div aria-hidden className="absolute inset-x-2 inset-y-0 rounded-sm bg-hover">
        <div className="h-full rounded-sm bg-accent-soft" style={{ width: `${placeOf(at, steps.length) * 100}%` }} />
      </div>
      <div aria-hidden className="absolute inset-x-2 inset-y-1">
        <TickStrip key={steps[0]?.key} steps={steps} count={steps.length} chapters={chapters} chapterCount={chapters.length} />
      </div>
      <input
        type="range"
        min={1}
        max={Math.max(1, steps.length)}
        value={at + 1}
        aria-label={workbench.replay}
        aria-valuetext={label}
        className="scrubber absolute inset-0 size-full"
        onChange={({ target }) => seek(target.valueAsNumber)}
        onPointerDown={({ clientX }) => {
          pressedX.current = clientX;
        }}
        onPointerUp={onPointerUp}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** Goes through a run: a tick for each step, failures marked, the phases of the plan as chapters. */
export function Scrubber({ live, moment, onSeek, onTrace }: ScrubberProps) {
  const { workbench } = useText();
  const format = useFormat();
  const { steps, chapters, status } = live;
  const at = findAt(live, moment);
  const { position, words, full } = useStepLabel(live, at);
  const failed = steps.reduce((count, { isFailed }) => count + Number(isFailed), 0);
  const isFailed = moment !== null && steps[at]?.isFailed === true;
  return (
    <section aria-label={workbench.replay} className="shrink-0 border-t border-line px-3 pt-1 pb-1 print:hidden">
      <div className="flex h-9 min-w-0 items-center gap-3 px-2 text-xs">
        <span className="shrink-0 text-soft tabular-nums">{position}</span>
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {isFailed && <CircleX aria-hidden className="mr-1.5 inline size-3.5 text-bad" />}
          {words}
        </span>
        {moment === null ? (
          failed > 0 && (
            <span className="inline-flex shrink-0 items-center gap-1 text-bad">
              <CircleX aria-hidden className="size-3.5" />
              {workbench.failures(format.number(failed))}
            </span>
          )
        ) : (
          <Button size="small" onClick={() => onSeek(null)}>
            <SkipForward aria-hidden className="size-3.5" />
            {status === 'running' || status === 'waiting' ? workbench.backToLive : workbench.backToEnd}
          </Button>
        )}
      </div>
      <Slider live={live} at={at} label={full} onSeek={onSeek} onTrace={onTrace} />
      <ChapterLabels chapters={chapters} count={steps.length} />
    </section>
  );
}
