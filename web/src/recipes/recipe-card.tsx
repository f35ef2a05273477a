import type { Recipe } from '@errand/client';
import { Copy, Ellipsis, Pencil, Trash2, Users } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/controls/menu.tsx';

/** What can be done with a recipe. */
export type RecipeAction = 'run' | 'edit' | 'copy' | 'delete';

interface RecipeCardProps {
  recipe: Recipe;
  onAct(action: RecipeAction, recipe: Recipe): void;
}

function CardMenu({ recipe, onAct }: RecipeCardProps) {
  const { recipes, ui } = useText();
  return (
    <Menu trigger={<IconButton label={recipes.actionsOf(recipe.name)} icon={<Ellipsis aria-hidden />} />}>
      {recipe.is_own && (
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onAct('edit', recipe)}>
          {recipes.edit}
        </MenuItem>
      )}
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => onAct('copy', recipe)}>
        {recipes.copy}
      </MenuItem>
      {recipe.is_own && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden />} isDangerous onSelect={() => onAct('delete', recipe)}>
            {ui.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** A recipe in the gallery; pressing it opens its form. */
export function RecipeCard({ recipe, onAct }: RecipeCardProps) {
  const { recipes } = useText();
  const { name, description, message_template: template, fields, team } = recipe;
  return (
    <li className="relative flex min-w-0 flex-col rounded-lg border border-line bg-card p-4 hover:border-accent">
      <div className="flex items-start justify-between gap-2">
        <h3 className="min-w-0 font-medium wrap-anywhere">
          <button
            type="button"
            aria-label={recipes.use(name)}
            className="text-left before:absolute before:inset-0 before:content-['']"
            onClick={() => onAct('run', recipe)}
          >
            {name}
          </button>
        </h3>
        <div className="relative -mt-1 -mr-1.5">
          <CardMenu recipe={recipe} onAct={onAct} />
        </div>
      </div>
      <p className="mt-1 line-clamp-3 flex-1 text-sm wrap-anywhere text-soft">{description || template}</p>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
        {recipes.fields(fields.length)}
        {team && (
          <span className="inline-flex items-center gap-1">
            <Users aria-hidden className="size-3.5" />
            {recipes.shared}
          </span>
        )}
      </p>
    </li>
  );
}
