import { ErrandError } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isNotFound, leaveToSignIn } from '../api/errand.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { buttonClasses } from '../ui/controls/button.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { MissingPage } from '../ui/feedback/missing-page.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { ShareFrame } from './share-frame.tsx';
import { SharedTask } from './shared-task.tsx';

function Gone() {
  const { app, share } = useText();
  return (
    <main id="main" tabIndex={-1}>
      <MissingPage title={share.goneTitle} lead={share.goneBody}>
        <a href="/" className={buttonClasses('primary')}>
          {share.toStart(app.name)}
        </a>
      </MissingPage>
    </main>
  );
}

/** A shared task, for anyone with the link. One shared with a team requires signing in. */
export function SharePage() {
  const { share } = useText();
  const { shareId } = useParams({ from: '/share/$shareId' });
  const { data, error, refetch } = useQuery({
    queryKey: ['share', shareId],
    queryFn: ({ signal }) => callWeb('share.detail', { share_id: shareId }, { signal }),
  });
  const mustSignIn = error instanceof ErrandError && error.code === 'unauthenticated';
  useEffect(() => {
    if (mustSignIn) leaveToSignIn();
  }, [mustSignIn]);
  if (data) return <SharedTask key={shareId} shareId={shareId} task={data.task} />;
  if (isNotFound(error)) return <Gone />;
  return (
    <ShareFrame title={share.title}>
      <div className="mx-auto w-full max-w-3xl flex-1 px-4 py-6 sm:px-6">
        {error && !mustSignIn && <ErrorState error={error} onRetry={refetch} />}
        {!error && <SkeletonList rows={4} className="h-16" />}
      </div>
    </ShareFrame>
  );
}
