import type { Artifact } from '@errand/client/operations.ts';
import { Link } from '@tanstack/react-router';
import { MessageSquareText, Star } from 'lucide-react';
import { isNotFound } from '../api/errand.ts';
import { FileFacts } from '../previews/panel/file-facts.tsx';
import { PreviewDialog } from '../previews/panel/preview-dialog.tsx';
import { PreviewLoading } from '../previews/panel/preview-loading.tsx';
import { PreviewPanel } from '../previews/preview-panel.tsx';
import { WebsitePanel } from '../previews/website/website-panel.tsx';
import { useText } from '../text/locale.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { Tooltip } from '../ui/controls/tooltip.tsx';
import { fileOfArtifact } from './artifact-file.ts';
import { isSite } from '../previews/website/is-site.ts';
import { useArtifact } from './use-artifacts.ts';

interface ArtifactViewerProps {
  artifactId: string | undefined;
  known: Artifact | undefined;
  onClose: () => void;
  onFavorite: (artifact: Artifact) => void;
}

/** The opened artifact, in front of the library. */
export function ArtifactViewer({ artifactId, known, onClose, onFavorite }: ArtifactViewerProps) {
  const { previews } = useText();
  const { data: artifact, error, refetch } = useArtifact(artifactId, known);
  return (
    <PreviewDialog isOpen={artifactId !== undefined} onClose={onClose}>
      {error ? (
        <div className="p-6">
          <ErrorState error={isNotFound(error) ? new Error(previews.troubles.gone) : error} onRetry={refetch} />
        </div>
      ) : artifact ? (
        <Viewed artifact={artifact} onClose={onClose} onFavorite={onFavorite} onRefresh={refetch} />
      ) : (
        <PreviewLoading />
      )}
    </PreviewDialog>
  );
}

interface ViewedProps extends Pick<ArtifactViewerProps, 'onClose' | 'onFavorite'> {
  artifact: Artifact;
  onRefresh: () => unknown;
}

function Viewed({ artifact, onClose, onFavorite, onRefresh }: ViewedProps) {
  const { library } = useText();
  const actions = (
    <>
      <IconButton
        label={library.favorite(artifact.display_name)}
        aria-pressed={artifact.favorite}
        icon={<Star className={artifact.favorite ? 'fill-current' : ''} />}
        onClick={() => onFavorite(artifact)}
      />
      <Tooltip label={library.goToTask}>
        <Link
          to="/app/$taskId"
          params={{ taskId: artifact.task_id }}
          aria-label={library.goToTask}
          className="inline-flex size-8 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pointer-coarse:size-10"
        >
          <MessageSquareText aria-hidden className="size-4.5" />
        </Link>
      </Tooltip>
    </>
  );
  const shared = { name: artifact.display_name, onClose, actions, isDialog: true };
  if (isSite(artifact)) return <WebsitePanel websiteId={artifact.id} {...shared} />;
  const file = fileOfArtifact(artifact);
  if (!file) return <FileFacts file={{ filename: artifact.filename, contentType: '', url: '' }} />;
  return <PreviewPanel file={file} onRefresh={onRefresh} {...shared} />;
}
