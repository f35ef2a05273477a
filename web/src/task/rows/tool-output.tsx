import { useState } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import type { ToolCall } from '../conversation/row.ts';
import { CodeFrame } from './code-frame.tsx';
import { languageOfOutput } from './tool-words.ts';

const shownLines = 16;
const shownCharacters = 4_000;

/** The part of an output shown first: the beginning if finished, the end if growing. */
function excerpt(output: string, isRunning: boolean): { text: string; lineCount: number; isAll: boolean } {
  const lines = output.replace(/\n+$/, '').split('\n');
  const isAll = lines.length <= shownLines && output.length <= shownCharacters;
  if (isAll) return { text: lines.join('\n'), lineCount: lines.length, isAll };
  const chosen = (isRunning ? lines.slice(-shownLines) : lines.slice(0, shownLines)).join('\n');
  const text = isRunning ? chosen.slice(-shownCharacters) : chosen.slice(0, shownCharacters);
  return { text: text.toWellFormed(), lineCount: lines.length, isAll };
}

/** The output of a call. */
export function ToolOutput({ call }: { call: Pick<ToolCall, 'output' | 'state' | 'isCut'> }) {
  const { task } = useText();
  const format = useFormat();
  const [wantsAll, setWantsAll] = useState(false);
  const isRunning = call.state === 'running';
  if (call.output.trim() === '') return <p className="py-1 text-sm text-soft">{isRunning ? task.callRunning : task.noOutput}</p>;
  const { text, lineCount, isAll } = excerpt(call.output, isRunning);
  const shown = wantsAll ? call.output : text;
  return (
    <div className="overflow-hidden rounded-md border border-line bg-card">
      {call.isCut && <p className="border-b border-line px-3 py-1 text-xs text-soft">{task.outputCut}</p>}
      <CodeFrame
        label={task.output}
        code={shown}
        language={isRunning ? '' : languageOfOutput(shown)}
        className="max-h-96 text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere"
      />
      {!isAll && !wantsAll && !isRunning && (
        <button
          type="button"
          className="w-full border-t border-line px-3 py-1.5 text-left text-xs text-soft hover:bg-hover hover:text-ink"
          onClick={() => setWantsAll(true)}
        >
          {task.showAll(format.number(lineCount))}
        </button>
      )}
    </div>
  );
}
