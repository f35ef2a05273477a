import { ChevronRight } from 'lucide-react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { Spinner } from '../../ui/display/spinner.tsx';
import type { ToolCall, WorkRow } from '../conversation/row.ts';
import type { Disclosure, RowContext } from './row-props.ts';
import { ToolCallLine } from './tool-call.tsx';
import { ToolIcon } from './tool-icon.tsx';
import { ToolOutput } from './tool-output.tsx';
import { describeCall } from './tool-words.ts';

/** A single call is its own line; there is nothing to collapse. */
function Calls({ calls, disclosure }: { calls: readonly ToolCall[]; disclosure: Disclosure }) {
  return (
    <ul className="flex flex-col">
      {calls.map((call) => (
        <ToolCallLine key={call.key} call={call} isOpen={disclosure.isOpen(call.key)} onToggle={disclosure.toggle} />
      ))}
    </ul>
  );
}

function Summary({ row }: { row: WorkRow }) {
  const text = useText();
  const { task } = text;
  const format = useFormat();
  const last = row.calls.at(-1);
  const failed = row.calls.filter(({ state }) => state === 'error').length;
  const isRunning = last?.state === 'running';
  return (
    <>
      {isRunning ? (
        <Spinner className="size-4 text-accent" />
      ) : (
        <ToolIcon tool={last?.tool ?? ''} className="size-4 shrink-0 text-soft" />
      )}
      <span className="shrink-0">{task.steps(row.calls.length)}</span>
      <span className="min-w-0 truncate text-soft">
        {last && describeCall(last, text)} <span className="font-mono text-xs">{last?.param}</span>
      </span>
      <span className="ml-auto shrink-0 text-xs text-soft">
        {failed > 0 && <span className="mr-2 text-bad">{task.failedSteps(failed)}</span>}
        {!isRunning && row.atMs - row.fromMs >= 1_000 && format.duration(row.atMs - row.fromMs)}
      </span>
    </>
  );
}

/** The agent's work between two messages: one line that expands to its steps. */
export function WorkGroup({ row, context }: { row: WorkRow; context: RowContext }) {
  const { disclosure } = context;
  const last = row.calls.at(-1);
  const isOpen = disclosure.isOpen(row.key);
  if (row.calls.length === 1) {
    return (
      <div className="pt-2">
        <Calls calls={row.calls} disclosure={disclosure} />
        {last?.state === 'running' && !disclosure.isOpen(last.key) && <LiveOutput call={last} />}
      </div>
    );
  }
  return (
    <div className="pt-2">
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex w-full min-w-0 items-center gap-2 rounded-sm py-1 text-left text-sm hover:bg-hover pointer-coarse:py-2"
        onClick={() => disclosure.toggle(row.key)}
      >
        <Summary row={row} />
        <ChevronRight
          aria-hidden
          className={joinClasses('size-4 shrink-0 text-soft transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && (
        <div className="mt-1 ml-2 border-l border-line pl-4">
          <Calls calls={row.calls} disclosure={disclosure} />
        </div>
      )}
      {!isOpen && last?.state === 'running' && <LiveOutput call={last} />}
    </div>
  );
}

/** The end of a running call's output. */
function LiveOutput({ call }: { call: ToolCall }) {
  if (call.output.trim() === '') return null;
  return (
    <div className="pt-1 pl-6">
      <ToolOutput call={call} />
    </div>
  );
}
