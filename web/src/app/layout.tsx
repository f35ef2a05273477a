import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../api/session.ts';
import { setLocale, useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { Page } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { useFinishNotices } from './finish-notices.ts';
import { ModelNotice } from './model-notice.tsx';
import { useOfflinePage } from './use-offline-page.ts';
import { useOpenedNotices } from './opened-notices.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { Overlays } from './overlays.tsx';
import { PhoneBar } from './sidebar/phone-bar.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';
import { useSidebarCollapsed } from './sidebar/sidebar-state.ts';

/** The page itself, once the user is known. Signed-out users are being redirected meanwhile. */
function Content() {
  const session = useSession();
  if (session.data !== undefined) return <Outlet />;
  return (
    <Page>
      {session.error ? <ErrorState error={session.error} onRetry={session.refetch} /> : <SkeletonList className="h-20" />}
    </Page>
  );
}

/** The frame of all pages for signed-in users. */
export function Layout() {
  const { app } = useText();
  useFinishNotices();
  useOpenedNotices();
  useOfflinePage();
  const isCollapsed = useSidebarCollapsed();
  const locale = useSession().data?.account.locale;
  useEffect(() => {
    if (locale !== undefined) void setLocale(locale);
  }, [locale]);
  return (
    <div className="flex min-h-dvh [--page-height:calc(100dvh-3.25rem)] max-md:flex-col md:[--page-height:100dvh]">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-card px-4 py-2 focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {app.skip}
      </a>
      <PhoneBar />
      <aside
        className={joinClasses(
          'sticky top-0 h-dvh shrink-0 border-r border-line max-md:hidden print:hidden',
          isCollapsed ? 'w-16' : 'w-64',
        )}
      >
        <Sidebar isCollapsed={isCollapsed} />
      </aside>
      <main
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col has-[[data-fills-window]]:h-(--page-height) max-md:has-[[data-fills-window]]:flex-none print:h-auto!"
      >
        <OfflineBanner />
        <ModelNotice />
        <div className="min-h-0 flex-1">
          <Content />
        </div>
      </main>
      <Overlays />
    </div>
  );
}
