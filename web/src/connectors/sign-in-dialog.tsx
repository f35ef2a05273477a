import type { Connector } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { buttonClasses } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';

/** Shows the host of a connector's sign-in page before going there: the connector's name does not reveal it. */
export function SignInDialog({ connector, onClose }: { connector: Connector; onClose(): void }) {
  const { connectors } = useText();
  const begin = useQuery({
    queryKey: ['connector-sign-in', connector.id],
    queryFn: () => callWeb('connector.signIn', { connector_id: connector.id }),
    // Each started sign-in works for one visit.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const actions = begin.data && (
    <a href={begin.data.authorization_url} className={buttonClasses('primary')}>
      {connectors.goSignIn(begin.data.host)}
    </a>
  );
  return (
    <Dialog isOpen onClose={onClose} title={connectors.signInTo(connector.name)} actions={actions}>
      {begin.error && <ErrorState error={begin.error} onRetry={begin.refetch} />}
      {begin.isPending && <Skeleton className="h-16" />}
      {begin.data && <p>{connectors.signInBody(begin.data.host, begin.data.server_host)}</p>}
    </Dialog>
  );
}
