import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readListSearch } from '../task-list/task-filter.ts';
import { readLibrarySearch } from '../library/library-search.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { PageError } from './page-error.tsx';

// Each page area is its own chunk, loaded on navigation or when the pointer is over a link to it.

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageError });

/** Pages with the sidebar, for people who are signed in. */
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Layout });

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
});

const task = createRoute({
  getParentRoute: () => signedIn,
  path: '/app/$taskId',
  component: lazyRouteComponent(() => import('../task/task-page.tsx'), 'TaskPage'),
});

const share = createRoute({
  getParentRoute: () => root,
  path: '/share/$shareId',
  component: lazyRouteComponent(() => import('../share/share-page.tsx'), 'SharePage'),
});

const library = createRoute({
  getParentRoute: () => signedIn,
  path: '/library',
  validateSearch: readLibrarySearch,
  component: lazyRouteComponent(() => import('../library/library-page.tsx'), 'LibraryPage'),
});

const agent = createRoute({
  getParentRoute: () => signedIn,
  path: '/agent',
  component: lazyRouteComponent(() => import('../agent/agent-page.tsx'), 'AgentPage'),
});

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  component: lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('../projects/project-page.tsx'), 'ProjectPage'),
});

const connectors = createRoute({
  getParentRoute: () => signedIn,
  path: '/connectors',
  component: lazyRouteComponent(() => import('../connectors/connectors-page.tsx'), 'ConnectorsPage'),
});

const skills = createRoute({
  getParentRoute: () => signedIn,
  path: '/skills',
  component: lazyRouteComponent(() => import('../skills/skills-page.tsx'), 'SkillsPage'),
});

const usage = createRoute({
  getParentRoute: () => signedIn,
  path: '/usage',
  component: lazyRouteComponent(() => import('../usage/usage-page.tsx'), 'UsagePage'),
});

const developerPage = lazyRouteComponent(() => import('../developers/developers-page.tsx'), 'DevelopersPage');
const developers = createRoute({ getParentRoute: () => signedIn, path: '/developers', component: developerPage });
const apiKeys = createRoute({ getParentRoute: () => signedIn, path: '/developers/keys', component: developerPage });
const apps = createRoute({ getParentRoute: () => signedIn, path: '/developers/apps', component: developerPage });
const app = createRoute({ getParentRoute: () => signedIn, path: '/developers/apps/$clientId', component: developerPage });
const webhooks = createRoute({ getParentRoute: () => signedIn, path: '/developers/webhooks', component: developerPage });
const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/developers/webhooks/$webhookId',
  component: developerPage,
});

const settingsPage = lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage');
const settings = createRoute({ getParentRoute: () => signedIn, path: '/settings', component: settingsPage });
const connections = createRoute({ getParentRoute: () => signedIn, path: '/settings/connections', component: settingsPage });
const chats = createRoute({ getParentRoute: () => signedIn, path: '/settings/chats', component: settingsPage });
const sessions = createRoute({ getParentRoute: () => signedIn, path: '/settings/sessions', component: settingsPage });

const teamPage = lazyRouteComponent(() => import('../team/team-page.tsx'), 'TeamPage');
const team = createRoute({ getParentRoute: () => signedIn, path: '/team', component: teamPage });
const invitation = createRoute({ getParentRoute: () => signedIn, path: '/team/accept', component: teamPage });

const developerRoutes = [developers, apiKeys, apps, app, webhooks, webhook] as const;
const settingsRoutes = [settings, connections, chats, sessions, team, invitation] as const;

/** Every route of the application. */
export const routeTree = root.addChildren([
  signedIn.addChildren([
    home,
    task,
    library,
    agent,
    projects,
    project,
    connectors,
    skills,
    usage,
    ...developerRoutes,
    ...settingsRoutes,
  ]),
  share,
]);
