import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';
import { registerServiceWorker } from '../../api/service-worker.ts';
import { notificationsQuery } from '../../api/settings-queries.ts';
import { callWeb } from '../../api/web-call.ts';

/** Whether this browser takes pushed notifications: all but old ones do, on phones some only from the home screen. */
const isSupported = window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Whether this browser is notified, or why it cannot be. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

/** The state of this browser; undefined until it is known. */
export function usePushState(): PushState | undefined {
  const shown = useQuery(notificationsQuery).data;
  const { data: isSubscribed } = useQuery({
    queryKey: [...keys.notifications, 'here'],
    queryFn: async () => (await findSubscription()) !== null,
    enabled: isSupported,
  });
  if (shown === undefined) return undefined;
  if (!isSupported || shown.push_key === null) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  if (isSubscribed === undefined) return undefined;
  return isSubscribed && shown.is_here ? 'on' : 'off';
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function register(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker();
  return navigator.serviceWorker.ready;
}

/** Asks for permission, if that is open, and has this browser notified. Only after a click; false if the user does not permit it. */
export async function startPush(pushKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const { pushManager } = await register();
  // One made for another key, or for somebody else, is of no use.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  const { endpoint = '', keys: found = {} } = subscription.toJSON();
  await callWeb('notification.subscribe', { endpoint, keys: { p256dh: found['p256dh'] ?? '', auth: found['auth'] ?? '' } });
  return true;
}

/** Has this browser notified no longer. */
export async function stopPush(): Promise<void> {
  await callWeb('notification.unsubscribe', {});
  await (await findSubscription())?.unsubscribe();
}
