import type { ReactNode } from 'react';
import { joinClasses } from './class-names.ts';

/** A box around related content. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={joinClasses('rounded-lg border border-line bg-card p-5', className)}>{children}</div>;
}

export interface SectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page section with its own heading. */
export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section className="mb-10">
      <header className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
          {lead !== undefined && <p className="mt-0.5 max-w-prose text-sm text-soft">{lead}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
