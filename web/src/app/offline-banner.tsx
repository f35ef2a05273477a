import { isPassing } from '@errand/client';
import { skipToken, useQuery } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { newestTasksKey } from '../task-list/use-task-list.ts';
import { useText } from '../text/locale.ts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** The list of the sidebar is read again and again; while that fails, the service is away. */
function useIsAway(): boolean {
  const { error } = useQuery({ queryKey: newestTasksKey({}), queryFn: skipToken });
  return isPassing(error);
}

/** Says that the browser has no network or the service does not answer, for as long as that lasts. */
export function OfflineBanner() {
  const { app } = useText();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isAway = useIsAway();
  return (
    <div role="status">
      {(!isOnline || isAway) && (
        <p className="flex items-center gap-2 bg-warn-soft px-4 py-2 text-sm text-warn">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {isOnline ? app.unreachable : app.offline}
        </p>
      )}
    </div>
  );
}
