import type { Texts } from './en.ts';
import { agent } from './zh/agent.ts';
import { app } from './zh/app.ts';
import { automation } from './zh/automation/automation.ts';
import { brands } from './zh/brands.ts';
import { budgets } from './zh/usage/budgets.ts';
import { composer } from './zh/composer.ts';
import { connectors } from './zh/connectors.ts';
import { developers } from './zh/developers/developers.ts';
import { home } from './zh/home.ts';
import { examples } from './zh/examples.ts';
import { inbox } from './zh/inbox.ts';
import { instance } from './zh/instance.ts';
import { library } from './zh/library.ts';
import { limits } from './zh/usage/limits.ts';
import { memory } from './zh/memory.ts';
import { models } from './zh/models.ts';
import { modelKeys } from './zh/settings/model-keys.ts';
import { notifications } from './zh/settings/notifications.ts';
import { passwordLinks } from './zh/password-links.ts';
import { people } from './zh/people/people.ts';
import { policies } from './zh/policies.ts';
import { previews } from './zh/previews.ts';
import { projects } from './zh/projects.ts';
import { recipes } from './zh/automation/recipes.ts';
import { reference } from './zh/developers/reference.ts';
import { schedules } from './zh/automation/schedules.ts';
import { settings } from './zh/settings.ts';
import { share } from './zh/share.ts';
import { skills } from './zh/skills.ts';
import { task } from './zh/task.ts';
import { taskList } from './zh/task-list.ts';
import { team } from './zh/team.ts';
import { triggers } from './zh/automation/triggers.ts';
import { passkeys } from './zh/settings/passkeys.ts';
import { twoStep } from './zh/settings/two-step.ts';
import { ui } from './zh/ui.ts';
import { usage } from './zh/usage/usage.ts';
import { workbench } from './zh/workbench.ts';

export const zh: Texts = {
  agent,
  app,
  automation,
  brands,
  budgets,
  composer,
  connectors,
  developers,
  examples,
  home,
  inbox,
  instance,
  library,
  limits,
  memory,
  models,
  modelKeys,
  notifications,
  passwordLinks,
  people,
  policies,
  previews,
  projects,
  recipes,
  reference,
  schedules,
  settings,
  share,
  skills,
  task,
  taskList,
  team,
  triggers,
  twoStep,
  passkeys,
  ui,
  usage,
  workbench,
};
