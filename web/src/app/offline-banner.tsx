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

/** The sidebar's list is polled; if that fails, the service is unreachable. */
function useIsAway(): boolean {
  const { error } = useQuery({ queryKey: newestTasksKey({}), queryFn: skipToken });
  return isPassing(error);
}

/** Shown above the page, which stays where it is, while the browser is offline or the service does not respond. */
export function OfflineBanner() {
  const { app } = useText();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isAway = useIsAway();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-2 z-40 flex justify-center px-2 max-md:top-15 print:hidden"
    >
      {(!isOnline || isAway) && (
        <p className="flex items-center gap-2 rounded-md bg-warn-soft px-4 py-2 text-sm text-warn shadow-float">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {isOnline ? app.unreachable : app.offline}
        </p>
      )}
    </div>
  );
}
