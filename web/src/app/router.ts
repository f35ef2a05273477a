import { createRouter } from '@tanstack/react-router';
import { routeTree } from './routes.tsx';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Pages load their own data and immediately show what is cached.
  defaultPendingMs: 150,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Focuses the heading of a new page after a navigation, unless the page has focused a field. */
router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
  if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname) return;
  if (document.activeElement?.matches('main :is(input, textarea)')) return;
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  heading?.focus({ preventScroll: true });
});
