import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readListSearch } from '../task-list/task-filter.ts';
import { readInboxSearch } from '../inbox/inbox-search.ts';
import { readAccountsSearch } from '../instance/accounts/accounts-search.ts';
import { readTasksSearch } from '../instance/tasks/tasks-search.ts';
import { readMemorySearch } from '../memory/memory-search.ts';
import { readRecipesSearch } from '../recipes/recipes-search.ts';
import { readLibrarySearch } from '../library/library-search.ts';
import { createPage, lazyPage, root, signedIn } from './page-routes.tsx';

// Each page area is its own chunk, loaded on navigation or when the pointer is over a link to it.

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
});

const task = createPage(
  '/app/$taskId',
  lazyPage(() => import('../task/task-page.tsx'), 'TaskPage'),
);

const example = createPage(
  '/examples/$name',
  lazyPage(() => import('../examples/example-page.tsx'), 'ExamplePage'),
);

const share = createRoute({
  getParentRoute: () => root,
  path: '/share/$shareId',
  component: lazyPage(() => import('../share/share-page.tsx'), 'SharePage'),
});

const library = createRoute({
  getParentRoute: () => signedIn,
  path: '/library',
  validateSearch: readLibrarySearch,
  component: lazyPage(() => import('../library/library-page.tsx'), 'LibraryPage'),
});

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readInboxSearch,
  component: lazyPage(() => import('../inbox/inbox-page.tsx'), 'InboxPage'),
});

const agent = createPage(
  '/agent',
  lazyPage(() => import('../agent/agent-page.tsx'), 'AgentPage'),
);

const schedules = createPage(
  '/schedules',
  lazyPage(() => import('../schedules/schedules-page.tsx'), 'SchedulesPage'),
);

const schedule = createPage(
  '/schedules/$scheduleId',
  lazyPage(() => import('../schedules/schedule-page.tsx'), 'SchedulePage'),
);

const triggers = createPage(
  '/triggers',
  lazyPage(() => import('../triggers/triggers-page.tsx'), 'TriggersPage'),
);

const trigger = createPage(
  '/triggers/$triggerId',
  lazyPage(() => import('../triggers/trigger-page.tsx'), 'TriggerPage'),
);

const recipes = createRoute({
  getParentRoute: () => signedIn,
  path: '/recipes',
  validateSearch: readRecipesSearch,
  component: lazyPage(() => import('../recipes/recipes-page.tsx'), 'RecipesPage'),
});

const projects = createPage(
  '/projects',
  lazyPage(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
);

const project = createPage(
  '/projects/$projectId',
  lazyPage(() => import('../projects/project-page.tsx'), 'ProjectPage'),
);

const connectors = createPage(
  '/connectors',
  lazyPage(() => import('../connectors/connectors-page.tsx'), 'ConnectorsPage'),
);

const skills = createPage(
  '/skills',
  lazyPage(() => import('../skills/skills-page.tsx'), 'SkillsPage'),
);

const memory = createRoute({
  getParentRoute: () => signedIn,
  path: '/memory',
  validateSearch: readMemorySearch,
  component: lazyPage(() => import('../memory/memory-page.tsx'), 'MemoryPage'),
});

const usage = createPage(
  '/usage',
  lazyPage(() => import('../usage/usage-page.tsx'), 'UsagePage'),
);

const developerPage = lazyPage(() => import('../developers/developers-page.tsx'), 'DevelopersPage');
const developers = createPage('/developers', developerPage);
const apiKeys = createPage('/developers/keys', developerPage);
const apps = createPage('/developers/apps', developerPage);
const app = createPage('/developers/apps/$clientId', developerPage);
const webhooks = createPage('/developers/webhooks', developerPage);
const webhook = createPage('/developers/webhooks/$webhookId', developerPage);
const requests = createPage('/developers/requests', developerPage);
const reference = createPage('/developers/reference', developerPage);
const operation = createPage('/developers/reference/$operation', developerPage);

const settingsPage = lazyPage(() => import('../settings/settings-page.tsx'), 'SettingsPage');
const settings = createPage('/settings', settingsPage);
const connections = createPage('/settings/connections', settingsPage);
const chats = createPage('/settings/chats', settingsPage);
const sessions = createPage('/settings/sessions', settingsPage);
const approvals = createPage('/settings/approvals', settingsPage);
/** Where the models were. */
const formerModels = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/models',
  beforeLoad: () => redirect({ to: '/instance/models', throw: true }),
});

const instancePage = lazyPage(() => import('../instance/instance-page.tsx'), 'InstancePage');
const instance = createPage('/instance', instancePage);
const instanceTasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/instance/tasks',
  validateSearch: readTasksSearch,
  component: instancePage,
});
const accounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/instance/accounts',
  validateSearch: readAccountsSearch,
  component: instancePage,
});
const account = createPage(
  '/instance/accounts/$accountId',
  lazyPage(() => import('../instance/accounts/account-page.tsx'), 'AccountPage'),
);
const models = createPage('/instance/models', instancePage);
const failedDeliveries = createPage('/instance/deliveries', instancePage);
const securityRecord = createPage('/instance/record', instancePage);

const teamPage = lazyPage(() => import('../team/team-page.tsx'), 'TeamPage');

const developerRoutes = [developers, apiKeys, apps, app, webhooks, webhook, requests, reference, operation] as const;
const automationRoutes = [schedules, schedule, triggers, trigger, recipes] as const;
const settingsRoutes = [
  settings,
  connections,
  chats,
  createPage('/settings/notifications', settingsPage),
  approvals,
  createPage('/settings/brand', settingsPage),
  createPage('/settings/model-keys', settingsPage),
  sessions,
  formerModels,
  createPage('/team', teamPage),
  createPage('/team/accept', teamPage),
] as const;
const instanceRoutes = [instance, instanceTasks, accounts, account, models, failedDeliveries, securityRecord] as const;

/** Every route of the application. */
export const routeTree = root.addChildren([
  signedIn.addChildren([
    home,
    task,
    example,
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
    ...instanceRoutes,
  ]),
  share,
]);
