import { useEffect } from 'react';
import { registerServiceWorker } from '../api/service-worker.ts';

/** How long a page has for itself after it is loaded. */
const quietMs = 2_000;

/**
 * Has the service worker show a page of the application while the service cannot be reached. It may wait: the next page is the first to need
 * it.
 */
export function useOfflinePage(): void {
  useEffect(() => {
    // Absent where the page is not served securely.
    if (!('serviceWorker' in navigator)) return undefined;
    // A browser may refuse; everything else works without it.
    const timer = setTimeout(() => void registerServiceWorker().catch(() => undefined), quietMs);
    return () => clearTimeout(timer);
  }, []);
}
