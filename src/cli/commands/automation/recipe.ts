import { invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { columns, reportRows } from '../../output/print.ts';
import { defineRequest, reportDone } from '../request-command.ts';

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

function readValue(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw invalidField('--value', 'must be NAME=TEXT');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

const run = defineRequest('recipe run', 'recipe.run', {
  summary: 'Start a task from a recipe, and print its ID.',
  args: { RECIPE_ID: 'Recipe ID, as shown by recipe list.' },
  options: { value: { type: 'string', multiple: true, value: 'NAME=TEXT', about: 'The value of a field; repeatable.' } },
  examples: [['recipe run 0Ab… --value "topic=green tea" --value since=2027-01-31', 'with two fields']],
  input: ({ options, args }) => ({
    recipe_id: args.RECIPE_ID,
    values: Object.fromEntries((options.value ?? []).map(readValue)),
  }),
  report: ({ task_id }) => ({ text: task_id }),
});

const remove = defineRequest('recipe delete', 'recipe.delete', {
  summary: 'Delete a recipe of the account.',
  args: { RECIPE_ID: 'Recipe ID, as shown by recipe list.' },
  examples: [['recipe delete 0Ab…', 'tasks that it started stay']],
  report: reportDone('deleted'),
});

/** `errand recipe …` */
export const recipeCommands = [list, run, remove];
