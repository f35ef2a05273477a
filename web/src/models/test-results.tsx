import type { Response as Reply } from '@errand/client';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';

/** How the test of each model went. */
export function TestResults({ results }: { results: Reply<'instance.testModel'>['data'] }) {
  const { models } = useText();
  const format = useFormat();
  return (
    <div role="status">
      <ul className="flex flex-col gap-1.5 text-sm">
        {results.map(({ model, ok, latency_ms: latencyMs, error }) => (
          <li
            key={model}
            className={`rounded-md px-3 py-2 wrap-anywhere ${ok ? 'bg-accent-soft text-accent' : 'bg-bad-soft text-bad'}`}
          >
            {ok ? models.answered(model, format.number(latencyMs)) : models.failed(model, error ?? '')}
          </li>
        ))}
      </ul>
    </div>
  );
}
