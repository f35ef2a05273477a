import type { Recipe } from '@errand/client';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { type RecipesSearch, valuesOf } from './recipes-search.ts';
import { RunDialog } from './run-dialog.tsx';

interface LinkedRecipeProps {
  /** Undefined for a recipe that the account has not. */
  recipe: Recipe | undefined;
  /** What the link says of its fields. */
  values: RecipesSearch;
  onClose(): void;
}

/** What the form begins with: of the link, what its fields can take. Files are chosen by whoever runs it. */
function fitting({ fields }: Recipe, search: RecipesSearch): Record<string, string> {
  const values = valuesOf(search);
  const known = fields.flatMap(({ name, type, choices }) => {
    const value = values[name];
    const fits = value !== undefined && type !== 'file' && (type !== 'choice' || choices?.includes(value) === true);
    return fits ? [[name, value] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The form that a link opens, filled in. The user starts it. */
export function LinkedRecipe({ recipe, values, onClose }: LinkedRecipeProps) {
  const { recipes } = useText();
  if (recipe) return <RunDialog recipe={recipe} initial={fitting(recipe, values)} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={recipes.notFound}>
      <p>{recipes.notFoundBody}</p>
    </Dialog>
  );
}
