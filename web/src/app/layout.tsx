import { Link, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../api/session.ts';
import { setLocale, useText } from '../text/locale.ts';
import { OfflineBanner } from './offline-banner.tsx';

const places = [
  { to: '/', name: 'tasks' },
  { to: '/library', name: 'library' },
  { to: '/agent', name: 'agent' },
  { to: '/projects', name: 'projects' },
  { to: '/connectors', name: 'connectors' },
  { to: '/skills', name: 'skills' },
  { to: '/usage', name: 'usage' },
  { to: '/developers', name: 'developers' },
  { to: '/team', name: 'team' },
  { to: '/settings', name: 'settings' },
] as const;

/** The frame of all pages for people who are signed in. */
export function Layout() {
  const { app } = useText();
  const session = useSession();
  const locale = session.data?.account.locale;
  useEffect(() => {
    if (locale !== undefined) void setLocale(locale);
  }, [locale]);
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-card px-4 py-2 focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {app.skip}
      </a>
      <nav
        aria-label={app.mainNavigation}
        className="flex shrink-0 gap-1 overflow-x-auto border-line p-3 md:w-60 md:flex-col md:border-r"
      >
        {places.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/' }}
            className="rounded-md px-3 py-1.5 text-sm hover:bg-hover aria-[current=page]:bg-hover aria-[current=page]:font-medium"
          >
            {app[name]}
          </Link>
        ))}
      </nav>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1">
        <OfflineBanner />
        <Outlet />
      </main>
    </div>
  );
}
