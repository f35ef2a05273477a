import { CircleX } from 'lucide-react';
import { memo, useRef } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { VirtualList } from '../../ui/display/virtual-list.tsx';
import type { Conversation } from '../conversation/conversation.ts';
import type { Step } from '../conversation/step.ts';
import { StepIcon } from './step-icon.tsx';
import { StepTrace } from './step-trace.tsx';
import { lineOf, titleOf } from './step-words.ts';

const rowHeight = 36;

interface StepLineProps {
  step: Step;
  isCurrent: boolean;
  onTrace(key: string): void;
}

const StepLine = memo(({ step, isCurrent, onTrace }: StepLineProps) => {
  const text = useText();
  const format = useFormat();
  const line = lineOf(step);
  return (
    <button
      type="button"
      aria-current={isCurrent ? 'step' : undefined}
      className={joinClasses(
        'flex min-h-9 w-full min-w-0 items-center gap-2.5 px-5 py-1.5 text-left text-sm -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11',
        isCurrent && 'bg-accent-soft',
      )}
      onClick={() => onTrace(step.key)}
    >
      <StepIcon step={step} className="size-4 shrink-0 text-soft" />
      <span className="shrink-0">{titleOf(step, text)}</span>
      <span dir="auto" className={joinClasses('min-w-0 flex-1 truncate text-soft', step.kind === 'call' && 'font-mono text-xs')}>
        {line}
      </span>
      {step.isFailed && (
        <span className="inline-flex shrink-0 items-center gap-1 text-xs text-bad">
          <CircleX aria-hidden className="size-3.5" />
          {text.workbench.failed}
        </span>
      )}
      <span className="shrink-0 text-xs text-soft tabular-nums">
        {step.tookMs !== null && step.tookMs >= 1_000 ? format.duration(step.tookMs) : ''}
      </span>
    </button>
  );
});
StepLine.displayName = 'StepLine';

export interface StepsViewProps {
  /** The task, for those who may see what its steps cost. */
  costsOf: string | null;
  /** The conversation with all steps, whichever moment is shown. */
  conversation: Conversation;
  /** The event whose moment is shown; null for the present. */
  moment: string | null;
  /** The step whose trace is open; null for the list of all. */
  traced: string | null;
  onTrace(key: string | null): void;
  /** Shows a step in the conversation. */
  onShow(step: Step): void;
}

/** Every step of the run in a list, or the trace of one. */
export function StepsView({ costsOf, conversation, moment, traced, onTrace, onShow }: StepsViewProps) {
  const { workbench } = useText();
  const { steps, chapters } = conversation;
  const scroller = useRef<HTMLDivElement>(null);
  const at = traced === null ? -1 : steps.findLastIndex(({ key }) => key === traced);
  const step = steps[at];
  if (step) {
    const phase = chapters.findLast(({ from }) => from <= at)?.title ?? null;
    const turn = (by: number) => onTrace(steps[at + by]?.key ?? step.key);
    return (
      <StepTrace
        costsOf={costsOf}
        step={step}
        at={at}
        count={steps.length}
        phase={phase}
        onTurn={turn}
        onClose={() => onTrace(null)}
        onShow={onShow}
      />
    );
  }
  if (steps.length === 0) return <p className="p-5 text-sm text-soft">{workbench.noSteps}</p>;
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto py-2">
      <VirtualList
        label={workbench.steps}
        items={steps}
        keyOf={({ key }) => key}
        rowHeight={rowHeight}
        scrollRef={scroller}
        renderRow={(one) => <StepLine step={one} isCurrent={one.key === moment} onTrace={onTrace} />}
      />
    </div>
  );
}
