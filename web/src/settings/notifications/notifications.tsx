import { useQuery } from '@tanstack/react-query';
import { notificationsQuery } from '../../api/settings-queries.ts';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { NotificationForm } from './notification-form.tsx';
import { ThisBrowser } from './this-browser.tsx';

/** What the user is notified of, where and when. */
export function Notifications() {
  const shown = useQuery(notificationsQuery);
  if (shown.error) return <ErrorState error={shown.error} onRetry={shown.refetch} />;
  if (shown.isPending) return <SkeletonList rows={3} />;
  const { settings, push_key: pushKey, has_mail: hasMail, has_chats: hasChats } = shown.data;
  return (
    <>
      <ThisBrowser pushKey={pushKey} />
      <NotificationForm settings={settings} hasMail={hasMail} hasChats={hasChats} />
    </>
  );
}
