import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { UsageFault } from '../../exit-code.ts';
import type { OptionTable } from '../../input/command-shape.ts';
import { budgetOption, readBudget, readValues, recipeOptions, requireOption } from '../../input/options.ts';
import { columns, reportRows } from '../../output/print.ts';
import { defineRequest, reportDone } from '../request-command.ts';

const recipeIdArgument = { RECIPE_ID: 'Recipe ID, as shown by recipe list.' } as const;

const recipeSettings = {
  name: { type: 'string', value: 'NAME', about: 'Name of the recipe.' },
  template: { type: 'string', value: 'TEXT', about: 'Message of its tasks; {{name}} is the value of that field.' },
  field: {
    type: 'string',
    multiple: true,
    value: 'FIELD',
    about: 'A field: topic, since:date, paper:file, or length:choice=short,long; optional with ? behind the name. Repeatable.',
  },
  description: { type: 'string', value: 'TEXT', about: 'What the recipe does.' },
  team: { type: 'string', choices: ['yes', 'no'], about: "Whether the account's team may use it." },
  project: { type: 'string', value: 'ID', about: 'Project of its tasks.' },
  profile: { type: 'string', value: 'PROFILE', about: 'Agent profile of its tasks.' },
  ...budgetOption,
} as const satisfies OptionTable;

interface Given {
  name?: string;
  template?: string;
  field?: string[];
  description?: string;
  team?: 'yes' | 'no';
  project?: string;
  profile?: string;
  budget?: string;
}

/** `length?:choice=short,long` */
function readField(text: string) {
  const [, name = '', optional, type = 'text', choices] =
    /^([A-Za-z][\w-]*)(\?)?(?::(text|date|file|choice)(?:=(.+))?)?$/.exec(text) ?? [];
  if (name === '') throw new UsageFault('--field takes NAME, NAME:date, NAME:file, or NAME:choice=one,two');
  return { name, type, required: optional === undefined, ...(choices !== undefined && { choices: choices.split(',') }) };
}

function readSettings({ template, field, team, project, profile, budget, ...texts }: Given) {
  return {
    ...{ name: texts.name, description: texts.description, message_template: template, fields: field?.map(readField) },
    ...{ team: team === undefined ? undefined : team === 'yes', project_id: project, agent_profile: profile },
    budget: readBudget(budget === undefined ? {} : { budget }),
  };
}

const create = defineRequest('recipe create', 'recipe.create', {
  summary: 'Save a task as a form, and print the ID of the recipe.',
  options: recipeSettings,
  examples: [
    [
      'recipe create --name Briefing --template "A {{length}} briefing about {{topic}}" --field topic --field length:choice=short,long',
      'with two fields',
    ],
  ],
  input({ options }) {
    requireOption(options, 'name');
    requireOption(options, 'template');
    return readSettings(options);
  },
  report: ({ recipe }) => ({ text: recipe.id }),
});

const update = defineRequest('recipe update', 'recipe.update', {
  summary: 'Change a recipe; omitted settings stay unchanged.',
  args: recipeIdArgument,
  options: recipeSettings,
  details: 'Schedules and triggers that were made from it keep what they were made of.',
  examples: [['recipe update 0Ab… --team yes', 'from now on the team may run it']],
  input: ({ options, args }) => ({ recipe_id: args.RECIPE_ID, ...readSettings(options) }),
  report: ({ recipe }) => ({ text: `updated ${recipe.id}` }),
});

const list = defineRequest('recipe list', 'recipe.list', {
  summary: 'List the recipes that the account can run.',
  examples: [['recipe list', 'their IDs, fields, and names']],
  input: () => ({ limit: 100 }),
  report: reportRows('no recipes', {
    ...columns.id,
    FIELDS: ({ fields }) => fields.map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
    NAME: ({ name }) => cleanLine(name, 100),
  }),
});

const run = defineRequest('recipe run', 'recipe.run', {
  summary: 'Start a task from a recipe, and print its ID.',
  args: recipeIdArgument,
  options: { value: recipeOptions.value },
  examples: [['recipe run 0Ab… --value "topic=green tea" --value since=2027-01-31', 'with two fields']],
  input: ({ options, args }) => ({ recipe_id: args.RECIPE_ID, values: readValues(options) }),
  report: ({ task_id }) => ({ text: task_id }),
});

const remove = defineRequest('recipe delete', 'recipe.delete', {
  summary: 'Delete a recipe of the account.',
  args: recipeIdArgument,
  examples: [['recipe delete 0Ab…', 'tasks that it started stay, as do schedules and triggers']],
  report: reportDone('deleted'),
});

/** `errand recipe …` */
export const recipeCommands = [create, list, update, run, remove];
