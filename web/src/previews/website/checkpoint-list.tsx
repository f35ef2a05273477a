import type { WebsiteCheckpoint } from '@errand/client/operations.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';

interface CheckpointListProps {
  checkpoints: readonly WebsiteCheckpoint[];
  /** The one that visitors see. */
  publishedId: string | undefined;
  isOpen: boolean;
}

/** The versions of a site, newest first. */
export function CheckpointList({ checkpoints, publishedId, isOpen }: CheckpointListProps) {
  const { previews } = useText();
  const format = useFormat();
  if (checkpoints.length === 0) return null;
  return (
    <details open={isOpen} className="max-h-56 shrink-0 overflow-auto border-t border-line text-sm">
      <summary className="px-4 py-2.5 font-medium">{previews.site.checkpoints(checkpoints.length)}</summary>
      <ol className="px-4 pb-3">
        {checkpoints.map(({ version_id, message, created_at }) => (
          <li key={version_id} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1.5">
            <span dir="auto" className="min-w-0 flex-1 basis-40 wrap-anywhere">
              {message}
            </span>
            {version_id === publishedId && <Badge tone="good">{previews.site.published}</Badge>}
            <code className="font-mono text-xs text-soft">{version_id.slice(0, 7)}</code>
            <time dateTime={new Date(created_at * 1000).toISOString()} className="text-xs text-soft">
              {format.dateTime(created_at * 1000)}
            </time>
          </li>
        ))}
      </ol>
    </details>
  );
}
