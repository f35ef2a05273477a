import { useRef } from 'react';
import { usePinnedEnd } from '../use-pinned-end.ts';

/** More would be slow to lay out while it grows; the trace of the step has all of it. */
const shownCharacters = 20_000;

/** The end of an output, from the beginning of a line. */
function endOf(output: string): string {
  if (output.length <= shownCharacters) return output;
  const end = output.slice(-shownCharacters);
  return `…\n${end.slice(end.indexOf('\n') + 1)}`;
}

/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach what scrolls */

/** The output of a call as it grows: stays at its end until somebody scrolls up. */
export function Terminal({ output, label }: { output: string; label: string }) {
  const scroller = useRef<HTMLPreElement>(null);
  const content = useRef<HTMLElement>(null);
  usePinnedEnd(scroller, content, true);
  return (
    <pre
      ref={scroller}
      tabIndex={0}
      role="group"
      aria-label={label}
      className="h-[max(9rem,26dvh)] overflow-auto px-3 py-2 font-mono text-xs leading-relaxed whitespace-pre-wrap wrap-anywhere -outline-offset-2"
    >
      <code ref={content} className="block min-h-full">
        {endOf(output.trimEnd())}
      </code>
    </pre>
  );
}
