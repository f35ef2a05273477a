import type { Artifact } from '@errand/client/operations.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { errand } from '../../api/errand.ts';
import { useText } from '../../text/locale.ts';
import { PreviewDialog } from '../panel/preview-dialog.tsx';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { isSite } from './is-site.ts';

const WebsitePanel = lazy(async () => ({ default: (await import('./website-panel.tsx')).WebsitePanel }));

interface TaskSitesProps {
  taskId: string;
  /** Sites are fetched again when this changes. */
  status: string;
}

/** The sites of a task, to view and publish. Nothing for a task without any. */
export function TaskSites({ taskId, status }: TaskSitesProps) {
  const { previews } = useText();
  const [opened, setOpened] = useState<Artifact | null>(null);
  const { data = [] } = useQuery({
    queryKey: ['artifacts-of', taskId, status],
    queryFn: async ({ signal }) => {
      const { data: made } = await errand.artifact.list({ task_id: taskId, limit: 100 }, { signal });
      return made.filter(isSite);
    },
    placeholderData: keepPreviousData,
  });
  const close = () => setOpened(null);
  if (data.length === 0) return null;
  return (
    <section aria-label={previews.site.title}>
      <h2 className="text-sm font-semibold">{previews.site.title}</h2>
      <ul className="-mx-2 mt-1">
        {data.map((site) => (
          <li key={site.id}>
            <button
              type="button"
              className="flex w-full min-w-0 items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover pointer-coarse:py-2.5"
              onClick={() => setOpened(site)}
            >
              <Globe aria-hidden strokeWidth={1.5} className="size-4 shrink-0 text-soft" />
              <span dir="auto" className="min-w-0 truncate">
                {site.display_name}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <PreviewDialog isOpen={opened !== null} onClose={close}>
        <Suspense fallback={<PreviewLoading />}>
          {opened && <WebsitePanel websiteId={opened.id} name={opened.display_name} onClose={close} isDialog />}
        </Suspense>
      </PreviewDialog>
    </section>
  );
}
