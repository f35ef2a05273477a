import { ExternalLink, Globe } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { PanelFrame, type PanelFrameProps, panelLinkClasses } from '../panel/panel-frame.tsx';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { CheckpointList } from './checkpoint-list.tsx';
import { SiteControls } from './site-controls.tsx';
import { useWebsite } from './use-website.ts';

interface WebsitePanelProps extends Pick<PanelFrameProps, 'actions' | 'isDialog' | 'name' | 'onClose'> {
  websiteId: string;
}

/** A site as visitors see it, with its visibility. */
export function WebsitePanel({ websiteId, actions, ...frame }: WebsitePanelProps) {
  const { previews } = useText();
  const { status, checkpoints, publish, share } = useWebsite(websiteId);
  const site = status.data;
  const url = site?.site_urls[0];
  const isDraft = site?.publish_status === 'published' && site.visibility === 'private';
  const open = url !== undefined && (
    <Tooltip label={previews.openInTab}>
      <a href={url} target="_blank" rel="noreferrer" aria-label={previews.openInTab} className={panelLinkClasses}>
        <ExternalLink aria-hidden className="size-4.5" />
      </a>
    </Tooltip>
  );
  const links = (
    <>
      {actions}
      {open}
    </>
  );
  return (
    <PanelFrame
      icon={<Globe aria-hidden strokeWidth={1.5} className="size-5 shrink-0 text-soft" />}
      detail={site && previews.site[isDraft ? 'privateDraft' : site.publish_status]}
      actions={links}
      {...frame}
    >
      {status.error && (
        <div className="p-5">
          <ErrorState error={status.error} onRetry={status.refetch} />
        </div>
      )}
      {status.isPending && <PreviewLoading />}
      {site && (
        <>
          <SiteControls site={site} newest={checkpoints.data?.data[0]?.version_id} publish={publish} share={share} />
          {url !== undefined && (
            <iframe
              src={url}
              title={frame.name}
              sandbox="allow-scripts allow-forms allow-modals allow-popups allow-downloads allow-pointer-lock"
              referrerPolicy="no-referrer"
              className="min-h-0 w-full flex-1 bg-white"
            />
          )}
          <CheckpointList checkpoints={checkpoints.data?.data ?? []} publishedId={site.version_id} isOpen={url === undefined} />
        </>
      )}
    </PanelFrame>
  );
}
