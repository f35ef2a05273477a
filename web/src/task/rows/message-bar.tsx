import type { ReactNode } from 'react';
import { useFormat } from '../../text/format.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';

interface MessageBarProps {
  text: string;
  atMs: number;
  /** More buttons. */
  children?: ReactNode;
  className?: string;
}

/** The bar below a message: actions, and when it was sent. It appears when the pointer or the keyboard is there. */
export function MessageBar({ text, atMs, children, className }: MessageBarProps) {
  const format = useFormat();
  return (
    <div
      className={joinClasses(
        '-mb-1 flex h-7 items-center gap-1 text-xs text-soft opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:h-10 pointer-coarse:opacity-100 print:hidden',
        className,
      )}
    >
      {text.trim() !== '' && <CopyButton text={text} />}
      {children}
      <time dateTime={new Date(atMs).toISOString()} title={format.dateTime(atMs)}>
        {format.minute(atMs)}
      </time>
    </div>
  );
}
