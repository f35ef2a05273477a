import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { ArtifactCover, ArtifactIcon } from './artifact-cover.tsx';
import { ArtifactMenu, type ArtifactMenuProps } from './artifact-menu.tsx';
import type { LibrarySearch } from './library-search.ts';

export interface ArtifactItemProps extends ArtifactMenuProps {
  search: LibrarySearch;
  isChosen: boolean;
  /** Whether anything is selected: then checkboxes are always visible. */
  isChoosing: boolean;
  onChoose: (artifactId: string) => void;
}

function ChooseBox({ artifact, isChosen, isChoosing, onChoose }: Omit<ArtifactItemProps, 'search'>) {
  const { library } = useText();
  return (
    <input
      type="checkbox"
      checked={isChosen}
      aria-label={library.choose(artifact.display_name)}
      onChange={() => onChoose(artifact.id)}
      className={joinClasses(
        'size-4.5 rounded-sm pointer-coarse:opacity-100',
        !isChosen && !isChoosing && 'opacity-0 group-hover:opacity-100 focus-visible:opacity-100',
      )}
    />
  );
}

interface FavoriteButtonProps extends Pick<ArtifactItemProps, 'artifact' | 'onFavorite'> {
  isOnCard?: boolean;
}

/** The button that marks a favorite. Cards show it on demand; on touch screens it is in the menu. */
function FavoriteButton({ artifact, onFavorite, isOnCard = false }: FavoriteButtonProps) {
  const { library } = useText();
  return (
    <button
      type="button"
      aria-label={library.favorite(artifact.display_name)}
      aria-pressed={artifact.favorite}
      className={joinClasses(
        'size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover pointer-coarse:size-10',
        artifact.favorite ? 'inline-flex text-accent' : !isOnCard && 'inline-flex',
        !artifact.favorite && isOnCard && 'hidden text-soft group-focus-within:inline-flex group-hover:inline-flex',
        !artifact.favorite &&
          !isOnCard &&
          'text-soft opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100',
      )}
      onClick={() => onFavorite(artifact)}
    >
      <Star aria-hidden className={joinClasses('size-4', artifact.favorite && 'fill-current')} />
    </button>
  );
}

/** The name of an artifact, which opens it. */
function NameLink({ artifact, search }: Pick<ArtifactItemProps, 'artifact' | 'search'>) {
  return (
    <Link
      to="/library"
      search={{ ...search, artifact: artifact.id }}
      dir="auto"
      title={artifact.display_name}
      className="block truncate py-1 hover:underline"
    >
      {artifact.display_name}
    </Link>
  );
}

/** An artifact as a card with its picture. */
export function ArtifactCard(item: ArtifactItemProps) {
  const { artifact, search, onFavorite, onRename } = item;
  return (
    <article
      className={joinClasses(
        'group relative flex flex-col overflow-hidden rounded-lg border bg-card',
        item.isChosen ? 'border-accent ring-1 ring-accent' : 'border-line hover:border-edge',
      )}
    >
      <Link
        to="/library"
        search={{ ...search, artifact: artifact.id }}
        className="aspect-4/3 overflow-hidden border-b border-line bg-hover"
        aria-hidden
        tabIndex={-1}
      >
        <ArtifactCover artifact={artifact} />
      </Link>
      <div className="absolute top-2.5 left-2.5 flex">
        <ChooseBox {...item} />
      </div>
      <div className="flex min-w-0 items-center gap-0.5 py-1.5 pr-1 pl-3">
        <h2 className="min-w-0 flex-1 text-sm font-medium">
          <NameLink artifact={artifact} search={search} />
        </h2>
        <FavoriteButton artifact={artifact} onFavorite={onFavorite} isOnCard />
        <ArtifactMenu artifact={artifact} onFavorite={onFavorite} onRename={onRename} />
      </div>
    </article>
  );
}

/** An artifact as a row. */
export function ArtifactRow(item: ArtifactItemProps) {
  const { library } = useText();
  const { artifact, search, onFavorite, onRename } = item;
  return (
    <article
      className={joinClasses(
        'group flex min-w-0 items-center gap-3 border-b border-line py-1.5 pr-1 pl-2',
        item.isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <ChooseBox {...item} />
      <ArtifactIcon artifact={artifact} className="size-5 text-soft" />
      <h2 className="min-w-0 flex-1 text-sm">
        <NameLink artifact={artifact} search={search} />
      </h2>
      <span className="w-28 shrink-0 text-sm text-soft max-sm:hidden">{library.types[artifact.type]}</span>
      <FavoriteButton artifact={artifact} onFavorite={onFavorite} />
      <ArtifactMenu artifact={artifact} onFavorite={onFavorite} onRename={onRename} />
    </article>
  );
}
