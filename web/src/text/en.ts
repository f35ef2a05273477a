import { agent } from './en/agent.ts';
import { app } from './en/app.ts';
import { automation } from './en/automation/automation.ts';
import { budgets } from './en/budgets.ts';
import { composer } from './en/composer.ts';
import { connectors } from './en/connectors.ts';
import { developers } from './en/developers.ts';
import { home } from './en/home.ts';
import { inbox } from './en/inbox.ts';
import { library } from './en/library.ts';
import { memory } from './en/memory.ts';
import { models } from './en/models.ts';
import { notifications } from './en/notifications.ts';
import { policies } from './en/policies.ts';
import { previews } from './en/previews.ts';
import { projects } from './en/projects.ts';
import { recipes } from './en/automation/recipes.ts';
import { schedules } from './en/automation/schedules.ts';
import { settings } from './en/settings.ts';
import { share } from './en/share.ts';
import { skills } from './en/skills.ts';
import { task } from './en/task.ts';
import { taskList } from './en/task-list.ts';
import { team } from './en/team.ts';
import { triggers } from './en/automation/triggers.ts';
import { ui } from './en/ui.ts';
import { usage } from './en/usage.ts';
import { workbench } from './en/workbench.ts';

/** English, the source of all keys: every other language has the same ones. */
export const en = {
  agent,
  app,
  automation,
  budgets,
  composer,
  connectors,
  developers,
  home,
  inbox,
  library,
  memory,
  models,
  notifications,
  policies,
  previews,
  projects,
  recipes,
  schedules,
  settings,
  share,
  skills,
  task,
  taskList,
  team,
  triggers,
  ui,
  usage,
  workbench,
};

export type Texts = typeof en;
