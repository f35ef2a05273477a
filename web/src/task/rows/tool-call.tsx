import { ChevronRight, CircleX, Undo2 } from 'lucide-react';
import { memo } from 'react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { Spinner } from '../../ui/display/spinner.tsx';
import type { ToolCall } from '../conversation/row.ts';
import { ToolIcon } from './tool-icon.tsx';
import { ToolOutput } from './tool-output.tsx';
import { describeCall } from './tool-words.ts';

/** How a call ended, unless it succeeded. */
export function CallState({ state }: Pick<ToolCall, 'state'>) {
  const { task } = useText();
  if (state === 'success') return null;
  if (state === 'running') return <Spinner className="size-3.5" />;
  const Icon = state === 'error' ? CircleX : Undo2;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-xs text-bad">
      <Icon aria-hidden className="size-3.5" />
      {state === 'error' ? task.callFailed : task.callUndone}
    </span>
  );
}

interface ToolCallProps {
  call: ToolCall;
  isOpen: boolean;
  onToggle(key: string): void;
}

/** One tool call: a line that expands to its output. */
export const ToolCallLine = memo(({ call, isOpen, onToggle }: ToolCallProps) => {
  const text = useText();
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        className="group/call flex w-full min-w-0 items-center gap-2 rounded-sm py-1 text-left text-sm hover:bg-hover pointer-coarse:py-2"
        onClick={() => onToggle(call.key)}
      >
        <ToolIcon tool={call.tool} className="size-4 shrink-0 text-soft" />
        <span className="shrink-0">{describeCall(call, text)}</span>
        {call.param !== '' && (
          <span className="min-w-0 truncate font-mono text-xs text-soft" title={call.param}>
            {call.param}
          </span>
        )}
        <CallState state={call.state} />
        <ChevronRight
          aria-hidden
          className={joinClasses('ml-auto size-4 shrink-0 text-soft transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && (
        <div className="pt-1 pb-2 pl-6">
          <ToolOutput call={call} />
        </div>
      )}
    </li>
  );
});
ToolCallLine.displayName = 'ToolCallLine';
