import { useQuery } from '@tanstack/react-query';
import type { WebResponse } from '../../api/web-call.ts';
import { useCost } from '../../task-list/use-cost.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import type { Step } from '../conversation/step.ts';
import { Fact } from './fact.tsx';
import { stepCallQuery } from './use-tool-call.ts';

type Call = NonNullable<WebResponse<'task.modelCall'>['model_call']>;

/** The steps that a model decides on. */
const kinds: ReadonlySet<Step['kind']> = new Set<Step['kind']>(['agent', 'call', 'question', 'result']);

function CallCost({ credits }: { credits: number }) {
  const { workbench } = useText();
  const cost = useCost();
  // Less would read as nothing.
  return credits > 0 && credits < 0.01 ? workbench.lessCredits(cost.ofCall(0.01)) : cost.ofCall(credits);
}

function CallFacts({ call }: { call: Call }) {
  const { workbench } = useText();
  const format = useFormat();
  const { model, credits, input_tokens: input, output_tokens: output, cached_tokens: cached } = call;
  return (
    <dl aria-label={workbench.modelCall}>
      {model !== null && <Fact name={workbench.model}>{model}</Fact>}
      <Fact name={workbench.tokens} hint={workbench.tokensHint}>
        {workbench.tokensOf(format.number(input), format.number(output))}
        {cached > 0 && <span className="text-soft">{workbench.cached(format.number(cached))}</span>}
      </Fact>
      {credits !== null && (
        <Fact name={workbench.cost} hint={workbench.tokensHint}>
          <CallCost credits={credits} />
        </Fact>
      )}
    </dl>
  );
}

/** What the model call before a step used and cost; nothing for other steps. */
export function ModelCall({ taskId, step }: { taskId: string; step: Step }) {
  const isOfModel = kinds.has(step.kind);
  const { data } = useQuery({ ...stepCallQuery(taskId, step.key), enabled: isOfModel });
  const call = isOfModel ? (data?.model_call ?? null) : null;
  return call === null ? null : <CallFacts call={call} />;
}
