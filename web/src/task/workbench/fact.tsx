import type { ReactNode } from 'react';

/** A name and its value, in a list of them. */
export function Fact({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-4 py-0.5 text-sm">
      <dt className="w-24 shrink-0 text-soft" title={hint}>
        {name}
      </dt>
      <dd className="flex min-w-0 flex-1 items-center gap-1 wrap-anywhere">{children}</dd>
    </div>
  );
}
