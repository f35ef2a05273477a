import type { Artifact } from '@errand/client/operations.ts';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, MessageSquareText, Pencil, Star } from 'lucide-react';
import { startDownload } from '../previews/files/download.ts';
import { useText } from '../text/locale.ts';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/controls/menu.tsx';
import { fileOfArtifact } from './artifact-file.ts';

export interface ArtifactMenuProps {
  artifact: Artifact;
  onFavorite: (artifact: Artifact) => void;
  onRename: (artifact: Artifact) => void;
}

/** The menu of an artifact. */
export function ArtifactMenu({ artifact, onFavorite, onRename }: ArtifactMenuProps) {
  const { library, previews } = useText();
  const file = fileOfArtifact(artifact);
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={library.actions(artifact.display_name)}
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pointer-coarse:size-10"
        >
          <Ellipsis aria-hidden className="size-4.5" />
        </button>
      }
    >
      {file && (
        <MenuItem icon={<Download aria-hidden />} onSelect={() => startDownload(file.url, file.filename)}>
          {previews.download}
        </MenuItem>
      )}
      <MenuItem icon={<Star aria-hidden />} onSelect={() => onFavorite(artifact)}>
        {artifact.favorite ? library.unmark : library.mark}
      </MenuItem>
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onRename(artifact)}>
        {library.rename}
      </MenuItem>
      <MenuSeparator />
      <MenuLink>
        <Link to="/app/$taskId" params={{ taskId: artifact.task_id }}>
          <MessageSquareText aria-hidden />
          {library.goToTask}
        </Link>
      </MenuLink>
    </Menu>
  );
}
