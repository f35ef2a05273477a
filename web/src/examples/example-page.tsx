import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { buttonClasses } from '../ui/controls/button.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { MissingPage } from '../ui/feedback/missing-page.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { loadExample } from './example-bundle.ts';
import { ExampleView } from './example-view.tsx';

function NoExample() {
  const { app } = useText();
  return (
    <MissingPage title={app.notFoundTitle} lead={app.notFoundBody}>
      <Link to="/" className={buttonClasses('primary')}>
        {app.goHome}
      </Link>
    </MissingPage>
  );
}

/** A finished task that was recorded: it is shipped with the application and replays in the workbench. */
export function ExamplePage() {
  const { name } = useParams({ from: '/signed-in/examples/$name' });
  const { data, error, refetch } = useQuery({
    queryKey: ['example', name],
    queryFn: ({ signal }) => loadExample(name, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <ExampleView key={name} name={name} example={data} />;
  if (data === null) return <NoExample />;
  return <Page>{error ? <ErrorState error={error} onRetry={refetch} /> : <SkeletonList rows={4} className="h-16" />}</Page>;
}
