import type { Recipe, Request } from '@errand/client';
import { clearing } from '../api/errand.ts';
import { readTaskSettings, type TaskSettings, toTaskFields } from '../automation/task-settings.tsx';
import { fieldsOf, readChoices, type RecipeField } from './template-fields.ts';

/** What is entered about a recipe. */
export interface RecipeForm {
  name: string;
  description: string;
  template: string;
  /** All fields that have been set up, also those that the template does not name at the moment. */
  known: readonly RecipeField[];
  /** Choices as entered, one per line, by field. */
  choiceTexts: Readonly<Record<string, string>>;
  isShared: boolean;
  settings: TaskSettings;
}

/** The start of the form: an existing recipe, or what a new one is made from. */
export type RecipeSource = Partial<Recipe>;

export function readForm(source: RecipeSource): RecipeForm {
  return {
    name: source.name ?? '',
    description: source.description ?? '',
    template: source.message_template ?? '',
    known: source.fields ?? [],
    choiceTexts: {},
    isShared: source.team ?? false,
    settings: readTaskSettings({ interactive_mode: false, ...source }),
  };
}

/** The form as the API takes a recipe. */
export function toRecipe(form: RecipeForm): Request<'recipe.create'> {
  const { name, description, template, known, choiceTexts, isShared, settings } = form;
  const fields = fieldsOf(template, known).map(({ choices, ...field }) => {
    const text = choiceTexts[field.name];
    return field.type === 'choice' ? { ...field, choices: text === undefined ? (choices ?? []) : readChoices(text) } : field;
  });
  const said = { name, description, message_template: template, fields, team: isShared };
  return clearing<'recipe.create'>({ ...said, ...toTaskFields(settings) });
}
