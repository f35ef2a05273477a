import type { Recipe } from '@errand/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errand } from '../api/errand.ts';
import { readAll } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Field, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { ValueField } from './value-field.tsx';

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

export const noRecipe: RecipeDraft = { id: '', values: {} };

/** The fields of a request that name the recipe. */
export function toRecipeSource({ id, values }: RecipeDraft) {
  const filled = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '');
  return { recipe_id: id, values: Object.fromEntries(filled) };
}

interface ChoiceProps {
  /** Null where no recipe can be chosen. */
  draft: RecipeDraft | null;
  /** For values that may name parts of a payload: every field is a text. */
  takesTemplates?: boolean;
  onChange(draft: RecipeDraft): void;
  /** What is entered without a recipe. */
  children: ReactNode;
}

interface ValuesProps extends Pick<ChoiceProps, 'takesTemplates'> {
  recipe: Recipe;
  values: RecipeDraft['values'];
  onValue(name: string, value: string | null): void;
}

function Values({ recipe, values, takesTemplates = false, onValue }: ValuesProps) {
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
        onChange={(event) => onValue(field.name, event.target.value)}
      />
    ) : (
      <ValueField
        key={field.name}
        field={field}
        value={values[field.name] ?? ''}
        problem={null}
        onChange={(value) => onValue(field.name, value)}
      />
    ),
  );
}

/** A message or, in its place, a recipe with its fields. */
export function RecipeChoice({ draft, children, ...props }: ChoiceProps) {
  if (draft === null) return children;
  return (
    <Choice draft={draft} {...props}>
      {children}
    </Choice>
  );
}

function Choice({ draft, takesTemplates = false, onChange, children }: ChoiceProps & { draft: RecipeDraft }) {
  const { automation } = useText();
  const recipes = useQuery(recipesQuery).data ?? [];
  const chosen = recipes.find(({ id }) => id === draft.id);
  const options = [{ value: '', label: automation.noRecipe }, ...recipes.map(({ id, name }) => ({ value: id, label: name }))];
  const enter = (name: string, value: string | null) => {
    if (draft.values[name] !== value) onChange({ ...draft, values: { ...draft.values, [name]: value } });
  };
  return (
    <>
      <Field label={automation.recipe} hint={chosen ? automation.recipeCopied : undefined}>
        {(control) => (
          <Select {...control} value={draft.id} options={options} onValueChange={(id) => onChange({ id, values: {} })} />
        )}
      </Field>
      {chosen ? <Values recipe={chosen} values={draft.values} takesTemplates={takesTemplates} onValue={enter} /> : children}
    </>
  );
}
