import type { Texts } from './en.ts';
import { agent } from './de/agent.ts';
import { app } from './de/app.ts';
import { automation } from './de/automation/automation.ts';
import { brands } from './de/brands.ts';
import { budgets } from './de/usage/budgets.ts';
import { composer } from './de/composer.ts';
import { connectors } from './de/connectors.ts';
import { developers } from './de/developers/developers.ts';
import { home } from './de/home.ts';
import { examples } from './de/examples.ts';
import { inbox } from './de/inbox.ts';
import { instance } from './de/instance.ts';
import { library } from './de/library.ts';
import { limits } from './de/usage/limits.ts';
import { memory } from './de/memory.ts';
import { models } from './de/models.ts';
import { modelKeys } from './de/settings/model-keys.ts';
import { notifications } from './de/settings/notifications.ts';
import { passwordLinks } from './de/password-links.ts';
import { people } from './de/people/people.ts';
import { policies } from './de/policies.ts';
import { previews } from './de/previews.ts';
import { projects } from './de/projects.ts';
import { recipes } from './de/automation/recipes.ts';
import { reference } from './de/developers/reference.ts';
import { schedules } from './de/automation/schedules.ts';
import { settings } from './de/settings.ts';
import { share } from './de/share.ts';
import { skills } from './de/skills.ts';
import { task } from './de/task.ts';
import { taskList } from './de/task-list.ts';
import { team } from './de/team.ts';
import { triggers } from './de/automation/triggers.ts';
import { passkeys } from './de/settings/passkeys.ts';
import { twoStep } from './de/settings/two-step.ts';
import { ui } from './de/ui.ts';
import { usage } from './de/usage/usage.ts';
import { workbench } from './de/workbench.ts';

export const de: Texts = {
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
