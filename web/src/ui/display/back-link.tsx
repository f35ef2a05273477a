import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

/** A link from an item back to its list. */
export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <Link
      to={to}
      className="-ml-1.5 mb-3 inline-flex min-h-8 items-center gap-1.5 rounded-md px-1.5 text-sm text-soft hover:text-ink pointer-coarse:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  );
}
