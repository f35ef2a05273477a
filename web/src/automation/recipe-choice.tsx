import type { Recipe } from '@errand/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { errand } from '../api/errand.ts';
import { readAll } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Field, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import type { FormProblems } from '../ui/feedback/form-problem.tsx';
import { ValueField, valueNameOf } from './value-field.tsx';

/** All of them, since those that come with the service are last in the list and first on the page. */
export const recipesQuery = queryOptions({
  queryKey: keys.recipes,
  queryFn: ({ signal }) => readAll((from) => errand.recipe.list({ limit: 100, ...from }, { signal })),
});

/** A recipe in place of a message, and what is entered in its fields; null for what is being uploaded. */
export interface RecipeDraft {
  /** Empty for none. */
  id: string;
  values: Readonly<Record<string, string | null>>;
}

const noRecipe: RecipeDraft = { id: '', values: {} };

interface RecipeCopy {
  recipe_id?: string;
  values?: Readonly<Record<string, string>>;
}

/** The recipe that something was copied from; none for something new. */
export function readRecipeSource(source: RecipeCopy | null): RecipeDraft {
  return source?.recipe_id === undefined ? noRecipe : { id: source.recipe_id, values: source.values ?? {} };
}

/** Fields of requests whose problems are shown at the recipe. */
export const recipeFieldNames = ['recipe_id', 'values'] as const;

function toRecipeSource({ id, values }: RecipeDraft) {
  const filled = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '');
  return { recipe_id: id, values: Object.fromEntries(filled) };
}

/**
 * The fields of a request that say what tasks begin with: a recipe or a message, null where neither has changed. The copy of a recipe that
 * is gone or has changed since stays until something is entered.
 */
export function toSource<Message>(
  form: { recipe: RecipeDraft; text: string },
  before: { recipe: RecipeDraft; text: string },
  toMessage: (text: string) => Message,
): ReturnType<typeof toRecipeSource> | Message | null {
  const now = toRecipeSource(form.recipe);
  const isChosen = JSON.stringify(now) !== JSON.stringify(toRecipeSource(before.recipe));
  if (isChosen && form.recipe.id !== '') return now;
  return isChosen || form.text !== before.text ? toMessage(form.text) : null;
}

/** A draft with a value entered. Values of fields that the recipe no longer has would be refused, and nobody sees them. */
export function enterValue(
  { id, values }: RecipeDraft,
  recipe: Pick<Recipe, 'fields'>,
  name: string,
  value: string | null,
): RecipeDraft {
  const kept = Object.entries(values).filter(([known]) => recipe.fields.some((field) => field.name === known));
  return { id, values: { ...Object.fromEntries(kept), [name]: value } };
}

/**
 * The recipe with what has to be entered. The copy that something was made from stays as it is until a value is changed, so a field that its
 * recipe has got since does not keep anybody from saving something else.
 */
export function askFor(recipe: Recipe, draft: RecipeDraft, first: RecipeDraft): Recipe {
  const isUntouched = first.id !== '' && JSON.stringify(toRecipeSource(draft)) === JSON.stringify(toRecipeSource(first));
  if (!isUntouched) return recipe;
  const fields = recipe.fields.map((field) => ({ ...field, required: field.required && Boolean(draft.values[field.name]) }));
  return { ...recipe, fields };
}

interface ChoiceProps {
  draft: RecipeDraft;
  /** Why the last attempt failed, and the same sorted by fields. */
  error: unknown;
  problems: Pick<FormProblems, 'of'>;
  /** Whether values may name parts of a payload, in which case every field is a text. */
  takesTemplates?: boolean;
  onChange(draft: RecipeDraft): void;
  /** Another recipe has been chosen, or none, in place of the one that is left. */
  onChoose(draft: RecipeDraft, chosen: Recipe | undefined, left: Recipe | undefined): void;
  /** What is entered without a recipe. */
  children: ReactNode;
}

interface ValuesProps extends Pick<ChoiceProps, 'takesTemplates'> {
  recipe: Recipe;
  values: RecipeDraft['values'];
  problemOf(name: string): string | null;
  onValue(name: string, value: string | null): void;
}

function Values({ recipe, values, takesTemplates = false, problemOf, onValue }: ValuesProps) {
  const { automation } = useText();
  return recipe.fields.map((field) =>
    takesTemplates && field.type !== 'choice' ? (
      <TextField
        key={field.name}
        label={field.name}
        hint={automation.valueHint}
        required={field.required}
        isOptional={!field.required}
        value={values[field.name] ?? ''}
        problem={problemOf(field.name)}
        onChange={(event) => onValue(field.name, event.target.value)}
      />
    ) : (
      <ValueField
        key={field.name}
        field={field}
        value={values[field.name] ?? ''}
        problem={problemOf(field.name)}
        onChange={(value) => onValue(field.name, value)}
      />
    ),
  );
}

/** A message or, in its place, a recipe with its fields. */
export function RecipeChoice({ draft, error, problems, takesTemplates = false, onChange, onChoose, children }: ChoiceProps) {
  const { automation } = useText();
  const [first] = useState(draft);
  const recipes = useQuery(recipesQuery).data ?? [];
  const known = recipes.find(({ id }) => id === draft.id);
  const chosen = known && askFor(known, draft, first);
  const options = [{ value: '', label: automation.noRecipe }, ...recipes.map(({ id, name }) => ({ value: id, label: name }))];
  const enter = (name: string, value: string | null) => {
    if (chosen && draft.values[name] !== value) onChange(enterValue(draft, chosen, name, value));
  };
  const choose = (id: string) =>
    onChoose(
      { id, values: {} },
      recipes.find((recipe) => recipe.id === id),
      chosen,
    );
  const wrong = valueNameOf(error);
  const isAtValue = chosen?.fields.some(({ name }) => name === wrong) === true;
  const problem = problems.of('recipe_id') ?? (isAtValue ? null : problems.of('values'));
  const problemOf = (name: string) => (name === wrong ? problems.of('values') : null);
  return (
    <>
      <Field label={automation.recipe} hint={chosen ? automation.recipeCopied : undefined} problem={problem}>
        {(control) => <Select {...control} value={chosen?.id ?? ''} options={options} onValueChange={choose} />}
      </Field>
      {chosen ? <Values recipe={chosen} values={draft.values} {...{ takesTemplates, problemOf }} onValue={enter} /> : children}
    </>
  );
}
