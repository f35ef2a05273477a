import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { loadPageTexts } from '../text/locale.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { PageError } from './page-error.tsx';

/** What all routes are below. */
export const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageError });

/** Pages with the sidebar, for people who are signed in. */
export const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Layout });

/** A page with the sidebar, at a path without search parameters. */
export function createPage<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => signedIn, path, component });
}

/** A page whose code and texts are loaded on navigation, or when the pointer is over a link to it. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => (await Promise.all([load(), loadPageTexts()]))[0], name);
