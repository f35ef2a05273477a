import { useText } from '../../text/locale.ts';
import { joinClasses } from './class-names.ts';

/** A placeholder for content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={joinClasses('breathe rounded-md bg-hover', className ?? 'h-4 w-full')} />;
}

export interface SkeletonListProps {
  rows?: number;
  /** Classes of each row. */
  className?: string;
}

/** Placeholders for a list that is loading, announced once. */
export function SkeletonList({ rows = 4, className }: SkeletonListProps) {
  const { ui } = useText();
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{ui.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className={className ?? 'h-12'} />
      ))}
    </div>
  );
}
