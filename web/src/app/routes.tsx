import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { readListSearch } from '../task-list/task-filter.ts';
import { readInboxSearch } from '../inbox/inbox-search.ts';
import { readMemorySearch } from '../memory/memory-search.ts';
import { readRecipesSearch } from '../recipes/recipes-search.ts';
import { readLibrarySearch } from '../library/library-search.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { PageError } from './page-error.tsx';

// Each page area is its own chunk, loaded on navigation or when the pointer is over a link to it.

const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageError });

/** Pages with the sidebar, for people who are signed in. */
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Layout });

function createPage<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => signedIn, path, component });
}

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
});

const task = createPage(
  '/app/$taskId',
  lazyRouteComponent(() => import('../task/task-page.tsx'), 'TaskPage'),
);

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

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('../inbox/inbox-page.tsx'), 'InboxPage'),
});

const agent = createPage(
  '/agent',
  lazyRouteComponent(() => import('../agent/agent-page.tsx'), 'AgentPage'),
);

const schedules = createPage(
  '/schedules',
  lazyRouteComponent(() => import('../schedules/schedules-page.tsx'), 'SchedulesPage'),
);

const schedule = createPage(
  '/schedules/$scheduleId',
  lazyRouteComponent(() => import('../schedules/schedule-page.tsx'), 'SchedulePage'),
);

const triggers = createPage(
  '/triggers',
  lazyRouteComponent(() => import('../triggers/triggers-page.tsx'), 'TriggersPage'),
);

const trigger = createPage(
  '/triggers/$triggerId',
  lazyRouteComponent(() => import('../triggers/trigger-page.tsx'), 'TriggerPage'),
);

const recipes = createRoute({
  getParentRoute: () => signedIn,
  path: '/recipes',
  validateSearch: readRecipesSearch,
  component: lazyRouteComponent(() => import('../recipes/recipes-page.tsx'), 'RecipesPage'),
});

const projects = createPage(
  '/projects',
  lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
);

const project = createPage(
  '/projects/$projectId',
  lazyRouteComponent(() => import('../projects/project-page.tsx'), 'ProjectPage'),
);

const connectors = createPage(
  '/connectors',
  lazyRouteComponent(() => import('../connectors/connectors-page.tsx'), 'ConnectorsPage'),
);

const skills = createPage(
  '/skills',
  lazyRouteComponent(() => import('../skills/skills-page.tsx'), 'SkillsPage'),
);

const memory = createRoute({
  getParentRoute: () => signedIn,
  path: '/memory',
  validateSearch: readMemorySearch,
  component: lazyRouteComponent(() => import('../memory/memory-page.tsx'), 'MemoryPage'),
});

const usage = createPage(
  '/usage',
  lazyRouteComponent(() => import('../usage/usage-page.tsx'), 'UsagePage'),
);

const developerPage = lazyRouteComponent(() => import('../developers/developers-page.tsx'), 'DevelopersPage');
const developers = createPage('/developers', developerPage);
const apiKeys = createPage('/developers/keys', developerPage);
const apps = createPage('/developers/apps', developerPage);
const app = createPage('/developers/apps/$clientId', developerPage);
const webhooks = createPage('/developers/webhooks', developerPage);
const webhook = createPage('/developers/webhooks/$webhookId', developerPage);

const settingsPage = lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage');
const settings = createPage('/settings', settingsPage);
const connections = createPage('/settings/connections', settingsPage);
const chats = createPage('/settings/chats', settingsPage);
const notifications = createPage('/settings/notifications', settingsPage);
const sessions = createPage('/settings/sessions', settingsPage);
const approvals = createPage('/settings/approvals', settingsPage);
const models = createPage('/settings/models', settingsPage);

const teamPage = lazyRouteComponent(() => import('../team/team-page.tsx'), 'TeamPage');
const team = createPage('/team', teamPage);
const invitation = createPage('/team/accept', teamPage);

const developerRoutes = [developers, apiKeys, apps, app, webhooks, webhook] as const;
const automationRoutes = [schedules, schedule, triggers, trigger, recipes] as const;
const settingsRoutes = [settings, connections, chats, notifications, approvals, sessions, models, team, invitation] as const;

/** Every route of the application. */
export const routeTree = root.addChildren([
  signedIn.addChildren([
    home,
    task,
    inbox,
    library,
    agent,
    projects,
    project,
    connectors,
    skills,
    memory,
    usage,
    ...automationRoutes,
    ...developerRoutes,
    ...settingsRoutes,
  ]),
  share,
]);
