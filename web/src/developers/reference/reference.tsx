import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { BackLink } from '../../ui/display/back-link.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/state.tsx';
import { apiQuery } from './api-query.ts';
import { OperationList } from './operation-list.tsx';
import { OperationView } from './operation-view.tsx';

/** The reference of this service's API: all operations, or the one that the URL names. */
export function Reference({ operationId }: { operationId: string | undefined }) {
  const { reference: text } = useText();
  const { data: api, error, refetch } = useQuery(apiQuery);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!api) return <SkeletonList rows={6} />;
  if (operationId === undefined) return <OperationList api={api} />;
  const operation = api.subjects.flatMap(({ operations }) => operations).find(({ id }) => id === operationId);
  return (
    <>
      <BackLink to="/developers/reference">{text.allOperations}</BackLink>
      {operation ? (
        // Input and answer of one operation are nothing to the next.
        <OperationView key={operation.id} api={api} operation={operation} />
      ) : (
        <EmptyState icon={<SearchX aria-hidden />} title={text.unknown}>
          {text.unknownBody}
        </EmptyState>
      )}
    </>
  );
}
