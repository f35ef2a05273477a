import type { ReactNode } from 'react';
import { joinClasses } from './class-names.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

const badgeTones: Record<Tone, string> = {
  plain: 'bg-hover text-soft',
  good: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

/** A short label, such as a state. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={joinClasses(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 font-sans text-xs font-medium tracking-normal whitespace-nowrap',
        badgeTones[tone],
      )}
    >
      {children}
    </span>
  );
}

const dotTones: Record<Tone, string> = { plain: 'bg-edge', good: 'bg-accent', warn: 'bg-warn', bad: 'bg-bad' };

/** A colored dot. Not everyone can distinguish colors: its label is read out, and appears on hover. */
export function StatusDot({ tone, label, isBusy = false }: { tone: Tone; label: string; isBusy?: boolean }) {
  return (
    <span title={label} className="inline-flex size-2.5 shrink-0 items-center justify-center">
      <span aria-hidden className={joinClasses('size-2 rounded-full', dotTones[tone], isBusy && 'breathe')} />
      <span className="sr-only">{label}</span>
    </span>
  );
}
