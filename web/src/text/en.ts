import { firstTexts } from './en-first.ts';
import { agent } from './en/agent.ts';
import { automation } from './en/automation/automation.ts';
import { brands } from './en/brands.ts';
import { budgets } from './en/usage/budgets.ts';
import { connectors } from './en/connectors.ts';
import { developers } from './en/developers/developers.ts';
import { examples } from './en/examples.ts';
import { inbox } from './en/inbox.ts';
import { instance } from './en/instance.ts';
import { library } from './en/library.ts';
import { limits } from './en/usage/limits.ts';
import { memory } from './en/memory.ts';
import { models } from './en/models.ts';
import { modelKeys } from './en/settings/model-keys.ts';
import { notifications } from './en/settings/notifications.ts';
import { passwordLinks } from './en/password-links.ts';
import { people } from './en/people/people.ts';
import { policies } from './en/policies.ts';
import { previews } from './en/previews.ts';
import { projects } from './en/projects.ts';
import { recipes } from './en/automation/recipes.ts';
import { reference } from './en/developers/reference.ts';
import { schedules } from './en/automation/schedules.ts';
import { settings } from './en/settings.ts';
import { share } from './en/share.ts';
import { skills } from './en/skills.ts';
import { task } from './en/task.ts';
import { team } from './en/team.ts';
import { triggers } from './en/automation/triggers.ts';
import { passkeys } from './en/settings/passkeys.ts';
import { twoStep } from './en/settings/two-step.ts';
import { usage } from './en/usage/usage.ts';
import { workbench } from './en/workbench.ts';

/** English, the source of all keys: every other language has the same ones. */
export const en = {
  ...firstTexts,
  agent,
  automation,
  brands,
  budgets,
  connectors,
  developers,
  examples,
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
  team,
  triggers,
  twoStep,
  passkeys,
  usage,
  workbench,
};

export type Texts = typeof en;
