import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import '../../markdown/markdown.css';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { CodeLine } from './code-lines.ts';
import { ScrollRegion } from '../panel/scroll-region.tsx';

/** Up to this number all lines are rendered, so that the browser's own search finds them. */
const mostAtOnce = 1_500;
const lineHeight = 21;
/** Longer lines are cut: a browser lays out a line as a whole. Characters. */
const longestLine = 5_000;

function cutLine(line: CodeLine): CodeLine {
  let left = longestLine;
  return line.flatMap((piece) => {
    if (left <= 0) return [];
    const text = piece.text.length > left ? `${piece.text.slice(0, left)}…` : piece.text;
    left -= piece.text.length;
    return [{ ...piece, text }];
  });
}

const Line = memo(({ line, number, isWrapped }: { line: CodeLine; number: number; isWrapped: boolean }) => (
  <div className="flex min-h-[21px]">
    {/* Line numbers are not part of the file: they are neither selected nor read out. */}
    <span
      aria-hidden
      data-line={number}
      className="w-14 shrink-0 pr-4 text-right text-soft select-none tabular-nums before:content-[attr(data-line)]"
    />
    <code className={joinClasses('code flex-1 pr-4', isWrapped ? 'whitespace-pre-wrap wrap-anywhere' : 'whitespace-pre')}>
      {cutLine(line).map(({ text, look }, index) =>
        look === '' ? (
          text
        ) : (
          <span key={index} className={look}>
            {text}
          </span>
        ),
      )}
    </code>
  </div>
));
Line.displayName = 'Line';

export interface CodeLinesProps {
  label: string;
  lines: readonly CodeLine[];
  isWrapped: boolean;
}

/** Numbered lines of text, virtualized if there are many. */
export function CodeLines({ label, lines, isWrapped }: CodeLinesProps) {
  const place = useRef<HTMLDivElement>(null);
  const isVirtual = lines.length > mostAtOnce;
  const virtualizer = useVirtualizer({
    count: isVirtual ? lines.length : 0,
    estimateSize: () => lineHeight,
    getScrollElement: () => place.current,
    overscan: 40,
  });
  return (
    <ScrollRegion ref={place} label={label} className="min-h-0 flex-1 overflow-auto py-3 font-mono text-xs leading-[21px]">
      {isVirtual ? (
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              ref={virtualizer.measureElement}
              data-index={index}
              className={joinClasses('absolute top-0 left-0', isWrapped ? 'w-full' : 'min-w-full')}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line line={lines[index] ?? []} number={index + 1} isWrapped={isWrapped} />
            </div>
          ))}
        </div>
      ) : (
        <div className={isWrapped ? '' : 'w-max min-w-full'}>
          {lines.map((line, index) => (
            <Line key={index} line={line} number={index + 1} isWrapped={isWrapped} />
          ))}
        </div>
      )}
    </ScrollRegion>
  );
}
