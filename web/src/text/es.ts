import type { Texts } from './en.ts';
import { agent } from './es/agent.ts';
import { app } from './es/app.ts';
import { automation } from './es/automation/automation.ts';
import { brands } from './es/brands.ts';
import { budgets } from './es/usage/budgets.ts';
import { composer } from './es/composer.ts';
import { connectors } from './es/connectors.ts';
import { developers } from './es/developers/developers.ts';
import { home } from './es/home.ts';
import { examples } from './es/examples.ts';
import { inbox } from './es/inbox.ts';
import { instance } from './es/instance.ts';
import { library } from './es/library.ts';
import { limits } from './es/usage/limits.ts';
import { memory } from './es/memory.ts';
import { models } from './es/models.ts';
import { modelKeys } from './es/settings/model-keys.ts';
import { notifications } from './es/settings/notifications.ts';
import { passwordLinks } from './es/password-links.ts';
import { people } from './es/people/people.ts';
import { policies } from './es/policies.ts';
import { previews } from './es/previews.ts';
import { projects } from './es/projects.ts';
import { recipes } from './es/automation/recipes.ts';
import { reference } from './es/developers/reference.ts';
import { schedules } from './es/automation/schedules.ts';
import { settings } from './es/settings.ts';
import { share } from './es/share.ts';
import { skills } from './es/skills.ts';
import { task } from './es/task.ts';
import { taskList } from './es/task-list.ts';
import { team } from './es/team.ts';
import { triggers } from './es/automation/triggers.ts';
import { passkeys } from './es/settings/passkeys.ts';
import { twoStep } from './es/settings/two-step.ts';
import { ui } from './es/ui.ts';
import { usage } from './es/usage/usage.ts';
import { workbench } from './es/workbench.ts';

export const es: Texts = {
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
