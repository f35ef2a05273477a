import type { Artifact } from '@errand/client/operations.ts';
import { ErrandError } from '@errand/client';
import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { errand } from '../api/errand.ts';
import { type ListPage, usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { showError } from '../ui/feedback/toast.tsx';
import type { LibrarySearch } from './library-search.ts';

const pageSize = 60;
/** A page of results may be empty although more follow: this many are loaded before the user scrolls. */
const firstWanted = 24;

type Pages = InfiniteData<ListPage<Artifact>>;

/** The library's list, loaded page by page. */
export function useArtifacts({ type, query, favorite }: LibrarySearch) {
  const client = useQueryClient();
  const filter = { ...(type && { type }), ...(query && { query }), ...(favorite && { favorite }) };
  const key = keys.artifacts(filter);
  const pages = usePages<Artifact>(key, {
    fetchPage: (cursor, signal) => errand.artifact.list({ ...filter, limit: pageSize, ...(cursor && { cursor }) }, { signal }),
  });
  const { items, hasMore, isFetchingMore, fetchMore, error } = pages;
  useEffect(() => {
    if (hasMore && !isFetchingMore && error === null && items.length < firstWanted) void fetchMore();
  }, [hasMore, isFetchingMore, fetchMore, error, items.length]);
  // The service drops cursors after five minutes; the list then starts over.
  const hasExpired = error instanceof ErrandError && error.code === 'invalid_argument' && items.length > 0;
  useEffect(() => {
    if (hasExpired) void client.resetQueries({ queryKey: key });
  }, [hasExpired, client, key]);
  return pages;
}

/** One artifact with fresh URLs, for a link to it and for one whose URLs have expired. */
export function useArtifact(artifactId: string | undefined, known: Artifact | undefined) {
  return useQuery({
    queryKey: ['artifact', artifactId ?? ''],
    queryFn: ({ signal }) =>
      errand.artifact.detail({ artifact_id: artifactId ?? '' }, { signal }).then(({ artifact }) => artifact),
    enabled: artifactId !== undefined,
    ...(known && { initialData: known }),
    // The URL is valid for 48 hours, and a new one would load the file again.
    staleTime: 24 * 3_600_000,
    refetchOnWindowFocus: false,
  });
}

function changePages(pages: Pages | undefined, changed: Pick<Artifact, 'id'> & Partial<Artifact>): Pages | undefined {
  if (!pages) return pages;
  const change = (artifact: Artifact) => (artifact.id === changed.id ? { ...artifact, ...changed } : artifact);
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, data: page.data.map(change) })) };
}

/** Renames an artifact or marks it as a favorite. Shown immediately, rolled back on error. */
export function useArtifactChange() {
  const client = useQueryClient();
  const show = (changed: Pick<Artifact, 'id'> & Partial<Artifact>) => {
    client.setQueriesData<Pages>({ queryKey: ['artifacts'] }, (pages) => changePages(pages, changed));
    client.setQueryData<Artifact>(['artifact', changed.id], (artifact) => artifact && { ...artifact, ...changed });
  };
  return useMutation({
    mutationFn: ({ artifact, ...change }: { artifact: Artifact; favorite?: boolean; display_name?: string }) =>
      errand.artifact.update({ artifact_id: artifact.id, ...change }),
    onMutate: ({ artifact, ...change }) => show({ id: artifact.id, ...change }),
    onError: (error, { artifact: { id, favorite, display_name } }) => {
      show({ id, favorite, display_name });
      showError(error);
    },
    onSuccess: (_answer, { favorite }) => {
      // The list of favorites itself has changed.
      if (favorite !== undefined) {
        void client.invalidateQueries({
          queryKey: ['artifacts'],
          predicate: ({ queryKey: [, filter] }) => (filter as LibrarySearch).favorite === true,
        });
      }
    },
  });
}
