import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SkeletonList } from '../display/skeleton.tsx';
import { ErrorState } from './state.tsx';

interface ListStateProps {
  list: Pick<UseQueryResult<readonly unknown[]>, 'data' | 'error' | 'isPending' | 'refetch'>;
  rows?: number;
  /** Classes of the rows of the skeleton. */
  className?: string;
  /** Shown if the list is empty. */
  children: ReactNode;
}

/** The state of a list without entries to show: an error, loading, or empty. */
export function ListState({ list, rows = 2, className, children }: ListStateProps) {
  return (
    <>
      {list.error && <ErrorState error={list.error} onRetry={list.refetch} />}
      {list.isPending && <SkeletonList rows={rows} {...(className !== undefined && { className })} />}
      {list.data?.length === 0 && children}
    </>
  );
}
