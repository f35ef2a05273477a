import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ChevronLeft, ChevronRight, CircleX, MessagesSquare } from 'lucide-react';
import { Markdown } from '../../markdown/markdown.tsx';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import type { Step } from '../conversation/step.ts';
import { CodeFrame } from '../rows/code-frame.tsx';
import { ToolOutput } from '../rows/tool-output.tsx';
import { languageOfInput } from '../rows/tool-words.ts';
import { Fact } from './fact.tsx';
import { ModelCall } from './model-call.tsx';
import { StepIcon } from './step-icon.tsx';
import { contentOf, titleOf } from './step-words.ts';
import { stepCallQuery } from './use-tool-call.ts';

interface StepTraceProps {
  /** The task, for those who may see what its steps cost, and their whole input. */
  costsOf: string | null;
  step: Step;
  /** Position of the step among all steps. */
  at: number;
  count: number;
  /** The phase of the plan it belongs to. */
  phase: string | null;
  /** Goes to another step: 1 for the next, -1 for the previous. */
  onTurn(by: number): void;
  onClose(): void;
  onShow(step: Step): void;
}

/** The input and outcome of a step. */
function StepContent({ step, inputOf }: { step: Step; inputOf: string | null }) {
  const { workbench, task } = useText();
  const { event } = step;
  const isCall = event.type === 'tool_used';
  const { data } = useQuery({ ...stepCallQuery(inputOf ?? '', step.key), enabled: isCall && inputOf !== null });
  const content = data?.tool_call?.input || contentOf(step);
  if (isCall) {
    const { tool, description: output } = event.tool_used;
    return (
      <>
        {content !== '' && (
          <section>
            <h3 className="mb-1.5 text-sm font-medium">{workbench.input}</h3>
            <CodeFrame
              label={workbench.input}
              code={content}
              language={languageOfInput(tool)}
              className="max-h-72 rounded-md border border-line bg-card text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere"
            />
          </section>
        )}
        <section>
          <h3 className="mb-1.5 text-sm font-medium">{task.output}</h3>
          <ToolOutput call={{ output, state: 'success', isCut: false }} />
        </section>
      </>
    );
  }
  if (content === '') return null;
  if (step.kind === 'result') {
    return (
      <CodeFrame label={task.output} code={content} language="json" className="rounded-md border border-line bg-card text-xs" />
    );
  }
  if (step.kind === 'agent' || step.kind === 'question') return <Markdown text={content} />;
  return (
    <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {content}
    </p>
  );
}

/** When a step was, how long it took, and which event it is. */
function StepFacts({ step, phase }: Pick<StepTraceProps, 'step' | 'phase'>) {
  const { workbench } = useText();
  const format = useFormat();
  return (
    <dl>
      <Fact name={workbench.time}>{format.dateTime(step.atMs)}</Fact>
      {step.tookMs !== null && (
        <Fact name={workbench.took} hint={workbench.tookHint}>
          {step.tookMs < 1_000 ? format.milliseconds(step.tookMs) : format.duration(step.tookMs)}
        </Fact>
      )}
      {phase !== null && <Fact name={workbench.phase}>{phase}</Fact>}
      <Fact name={workbench.event}>
        <code className="min-w-0 truncate font-mono text-xs" title={step.key}>
          {step.key}
        </code>
        <CopyButton text={step.key} label={workbench.copyEvent} />
      </Fact>
    </dl>
  );
}

/** The trace of one step: its input, outcome, and duration. */
export function StepTrace({ costsOf, step, at, count, phase, onTurn, onClose, onShow }: StepTraceProps) {
  const text = useText();
  const { workbench } = text;
  const format = useFormat();
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-b border-line py-1 pr-2 pl-3">
        <Button size="small" look="quiet" onClick={onClose}>
          <ArrowLeft aria-hidden className="size-4" />
          {workbench.allSteps}
        </Button>
        <span className="ml-auto px-1 text-xs whitespace-nowrap text-soft tabular-nums">
          {workbench.step(format.number(at + 1), format.number(count))}
        </span>
        <IconButton
          label={workbench.previousStep}
          icon={<ChevronLeft aria-hidden />}
          disabled={at === 0}
          onClick={() => onTurn(-1)}
        />
        <IconButton
          label={workbench.nextStep}
          icon={<ChevronRight aria-hidden />}
          disabled={at >= count - 1}
          onClick={() => onTurn(1)}
        />
      </div>
      <div key={step.key} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-5">
        <div className="flex flex-wrap items-center gap-2">
          <StepIcon step={step} className="size-4.5 shrink-0 text-soft" />
          <h2 className="min-w-0 font-semibold wrap-anywhere">{titleOf(step, text)}</h2>
          {step.isFailed && (
            <span className="inline-flex shrink-0 items-center gap-1 text-sm text-bad">
              <CircleX aria-hidden className="size-4" />
              {workbench.failed}
            </span>
          )}
          <Button size="small" className="ml-auto" onClick={() => onShow(step)}>
            <MessagesSquare aria-hidden className="size-4" />
            {workbench.showInConversation}
          </Button>
        </div>
        <div>
          <StepFacts step={step} phase={phase} />
          {costsOf !== null && <ModelCall taskId={costsOf} step={step} />}
        </div>
        <StepContent step={step} inputOf={costsOf} />
      </div>
    </>
  );
}
