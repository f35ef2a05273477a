import { CodeBlock } from '../../markdown/code-block.tsx';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { indent } from '../requests/indent.ts';
import { RequestStatus } from '../requests/request-status.tsx';
import type { Answer } from './send-request.ts';

/** Into view when it appears, but not again when more of it comes. */
function reveal(view: HTMLElement | null): void {
  view?.scrollIntoView({ block: 'nearest' });
}

/** The answer to a request: status, time, headers, and body. */
export function AnswerView({ answer }: { answer: Answer }) {
  const { developers, reference: text } = useText();
  const format = useFormat();
  const { status, statusText, latencyMs, headers, body, isCut, isComplete } = answer;
  const isJson = headers.some(([name, value]) => name === 'content-type' && value.includes('json'));
  return (
    <section ref={reveal} aria-label={developers.requests.answer} className="flex flex-col gap-3">
      <div role="status" className="flex flex-wrap items-center gap-2 text-sm">
        <h3 className="font-medium">{developers.requests.answer}</h3>
        <RequestStatus status={status} />
        <span className="text-soft">{statusText}</span>
        <span className="text-soft">{format.milliseconds(Math.round(latencyMs))}</span>
        {!isComplete && <Badge>{text.receiving}</Badge>}
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 font-mono text-xs">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {body !== '' && (
        <div className="[&_pre]:max-h-120 [&_pre]:overflow-auto">
          <CodeBlock code={isJson && isComplete ? indent(body) : body} language={isJson ? 'json' : ''} />
        </div>
      )}
      {isCut && <p className="text-sm text-soft">{text.cut}</p>}
    </section>
  );
}
