import type { Artifact } from '@errand/client/operations.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LayoutGrid, List, Package, SearchX, Star } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { ArtifactList } from './artifact-list.tsx';
import { ArtifactViewer } from './artifact-viewer.tsx';
import { CategoryLinks } from './category-links.tsx';
import { ChoiceBar } from './choice-bar.tsx';
import type { LibrarySearch } from './library-search.ts';
import { NameSearch } from './name-search.tsx';
import { RenameDialog } from './rename-artifact-dialog.tsx';
import { useArtifactChange, useArtifacts } from './use-artifacts.ts';

function LibraryTools({ search }: { search: LibrarySearch }) {
  const { library } = useText();
  const navigate = useNavigate({ from: '/library' });
  const isList = search.view === 'list';
  const { view: _view, artifact: _artifact, ...filter } = search;
  return (
    <>
      <NameSearch value={search.query ?? ''} />
      <IconButton
        label={isList ? library.asCards : library.asRows}
        icon={isList ? <LayoutGrid /> : <List />}
        onClick={() =>
          void navigate({ search: isList ? filter : { ...filter, view: 'list' }, replace: true, resetScroll: false })
        }
      />
    </>
  );
}

function Nothing({ search, onReset }: { search: LibrarySearch; onReset: () => void }) {
  const { library } = useText();
  if (search.query === undefined && search.type === undefined) {
    return search.favorite ? (
      <EmptyState icon={<Star />} title={library.noFavorites}>
        {library.noFavoritesLead}
      </EmptyState>
    ) : (
      <EmptyState icon={<Package />} title={library.empty}>
        {library.emptyLead}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<SearchX />} title={library.nothingFound} action={<Button onClick={onReset}>{library.showAll}</Button>}>
      {library.nothingFoundLead}
    </EmptyState>
  );
}

function MoreButton({ isBusy, onMore }: { isBusy: boolean; onMore: () => void }) {
  const { ui } = useText();
  return (
    <div className="flex justify-center pt-4">
      <Button look="quiet" isBusy={isBusy} onClick={onMore}>
        {ui.loadMore}
      </Button>
    </div>
  );
}

/** Everything that the agents of this account have made. */
export function LibraryPage() {
  const { library } = useText();
  const search = useSearch({ from: '/signed-in/library' });
  const navigate = useNavigate({ from: '/library' });
  const { items, error, isPending, hasMore, isFetchingMore, fetchMore, refetch } = useArtifacts(search);
  const { mutate: change } = useArtifactChange();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [renamed, setRenamed] = useState<Artifact | null>(null);
  const onFavorite = useCallback((artifact: Artifact) => change({ artifact, favorite: !artifact.favorite }), [change]);
  const choose = (artifactId: string) => {
    const next = new Set(chosen);
    if (!next.delete(artifactId)) next.add(artifactId);
    setChosen(next);
  };
  const close = () => void navigate({ search: ({ artifact: _artifact, ...rest }) => rest, resetScroll: false });
  return (
    <Page isWide>
      <PageHeader title={library.title} lead={library.lead} actions={<LibraryTools search={search} />} />
      <CategoryLinks search={search} />
      <div className="mt-5">
        {isPending && <SkeletonList rows={6} />}
        {error && items.length === 0 && <ErrorState error={error} onRetry={refetch} />}
        {!isPending && !error && items.length === 0 && !hasMore && (
          <Nothing search={search} onReset={() => void navigate({ search: {} })} />
        )}
        {items.length > 0 && (
          <ArtifactList
            items={items}
            search={search}
            chosen={chosen}
            onChoose={choose}
            onFavorite={onFavorite}
            onRename={setRenamed}
            onEnd={hasMore && !isFetchingMore ? () => void fetchMore() : undefined}
          />
        )}
        {hasMore && items.length > 0 && <MoreButton isBusy={isFetchingMore} onMore={() => void fetchMore()} />}
      </div>
      <ChoiceBar chosen={chosen} onClear={() => setChosen(new Set())} />
      <RenameDialog
        artifact={renamed}
        onClose={() => setRenamed(null)}
        onRename={(artifact, name) => change({ artifact, display_name: name })}
      />
      <ArtifactViewer
        artifactId={search.artifact}
        known={items.find(({ id }) => id === search.artifact)}
        onClose={close}
        onFavorite={onFavorite}
      />
    </Page>
  );
}
