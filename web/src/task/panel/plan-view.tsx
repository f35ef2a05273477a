import { Circle, CircleCheck, CircleDot, CircleX, LoaderCircle } from 'lucide-react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { PlanStep } from '../conversation/row.ts';

const icons = { todo: Circle, doing: LoaderCircle, done: CircleCheck, failed: CircleX };
const colors = { todo: 'text-soft', doing: 'text-accent', done: 'text-accent', failed: 'text-bad' };

function Step({ step, isActive }: { step: PlanStep; isActive: boolean }) {
  const { task } = useText();
  const format = useFormat();
  // A step that was running when the task stopped is paused.
  const Icon = step.status === 'doing' && !isActive ? CircleDot : icons[step.status];
  const took = step.started_at !== null && step.end_at !== null ? step.end_at - step.started_at : 0;
  return (
    <li className="flex items-start gap-2.5 py-1.5 text-sm">
      <Icon
        aria-hidden
        className={joinClasses('mt-0.5 size-4 shrink-0', colors[step.status], step.status === 'doing' && isActive && 'spin')}
      />
      <span
        className={joinClasses(
          'min-w-0 flex-1 wrap-anywhere',
          step.status === 'todo' && 'text-soft',
          step.status === 'doing' && 'font-medium',
        )}
      >
        {step.title}
        <span className="sr-only"> ({task.stepStatus[step.status]})</span>
      </span>
      {took >= 1_000 && <span className="shrink-0 text-xs text-soft">{format.duration(took)}</span>}
    </li>
  );
}

/** The agent's plan and its progress. `isActive`: the task runs. */
export function PlanView({ plan, isActive }: { plan: readonly PlanStep[]; isActive: boolean }) {
  const { task } = useText();
  const format = useFormat();
  const done = plan.filter(({ status }) => status === 'done').length;
  const progress = task.planProgress(format.number(done), format.number(plan.length));
  return (
    <section aria-label={task.plan}>
      <div className="mb-2 flex items-baseline justify-between gap-2">
        <h2 className="text-sm font-semibold">{task.plan}</h2>
        <span className="text-xs text-soft">{progress}</span>
      </div>
      <progress
        aria-label={progress}
        value={done}
        max={Math.max(1, plan.length)}
        className="mb-2 block h-1 w-full appearance-none overflow-hidden rounded-full bg-hover [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
      />
      <ol>
        {plan.map((step, index) => (
          <Step key={`${index} ${step.title}`} step={step} isActive={isActive} />
        ))}
      </ol>
    </section>
  );
}
