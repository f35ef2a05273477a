import type { Recipe } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CookingPot } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { recipesQuery } from '../automation/recipe-choice.tsx';
import { useText } from '../text/locale.ts';
import { NewButton } from '../ui/controls/new-button.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';
import { Section } from '../ui/display/card.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { ListState } from '../ui/feedback/list-state.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { RecipeCard, type RecipeAction } from './recipe-card.tsx';
import { RecipeDialog } from './recipe-dialog.tsx';
import type { RecipeSource } from './recipe-form.ts';
import { readRecipesSearch } from './recipes-search.ts';
import { LinkedRecipe } from './linked-recipe.tsx';
import { RunDialog } from './run-dialog.tsx';
import { TaskRecipeDialog } from './task-recipe-dialog.tsx';

/** What is open over the gallery. */
type Open = { kind: 'run'; recipe: Recipe } | { kind: 'edit'; recipe: Recipe | null; source: RecipeSource } | null;

interface GalleryProps {
  recipes: readonly Recipe[];
  onAct(action: RecipeAction, recipe: Recipe): void;
}

function Cards({ title, recipes, onAct }: GalleryProps & { title: string }) {
  return (
    <Section title={title}>
      <ul aria-label={title} className="grid gap-3 sm:grid-cols-2">
        {recipes.map((recipe) => (
          <RecipeCard key={recipe.id} recipe={recipe} onAct={onAct} />
        ))}
      </ul>
    </Section>
  );
}

function Gallery({ recipes: all, onAct }: GalleryProps) {
  const { recipes } = useText();
  const own = all.filter((recipe) => recipe.is_own);
  const team = all.filter((recipe) => !recipe.is_own && !recipe.is_shipped);
  return (
    <>
      <Cards title={recipes.shipped} recipes={all.filter((recipe) => recipe.is_shipped)} onAct={onAct} />
      {team.length > 0 && <Cards title={recipes.team} recipes={team} onAct={onAct} />}
      {own.length > 0 ? (
        <Cards title={recipes.own} recipes={own} onAct={onAct} />
      ) : (
        <Section title={recipes.own}>
          <EmptyState icon={<CookingPot aria-hidden />} title={recipes.noOwn}>
            {recipes.noOwnBody}
          </EmptyState>
        </Section>
      )}
    </>
  );
}

/** The gallery of recipes: those that come with the service, the team's, and the user's own. */
export function RecipesPage() {
  const { recipes, ui } = useText();
  const navigate = useNavigate();
  const { from, recipe: linked, ...linkedValues } = readRecipesSearch(useSearch({ strict: false }));
  const list = useQuery(recipesQuery);
  const [open, setOpen] = useState<Open>(null);
  const removal = useRemoval((recipe: Recipe) => errand.recipe.delete({ recipe_id: recipe.id }), {
    changes: [keys.recipes],
    describeDone: () => recipes.deleted,
  });
  const close = () => setOpen(null);
  const leaveLink = () => void navigate({ to: '/recipes', search: {}, replace: true });
  const act = (action: RecipeAction, recipe: Recipe) => {
    if (action === 'run') setOpen({ kind: 'run', recipe });
    if (action === 'edit') setOpen({ kind: 'edit', recipe, source: recipe });
    if (action === 'copy')
      setOpen({ kind: 'edit', recipe: null, source: { ...recipe, name: recipes.copyName(recipe.name), team: false } });
    if (action === 'delete') removal.ask(recipe);
  };
  return (
    <Page>
      <PageHeader
        title={recipes.title}
        lead={recipes.lead}
        actions={<NewButton label={recipes.new} onClick={() => setOpen({ kind: 'edit', recipe: null, source: {} })} />}
      />
      <ListState list={list} rows={4} className="h-28">
        {null}
      </ListState>
      {list.data && <Gallery recipes={list.data} onAct={act} />}
      {open?.kind === 'run' && <RunDialog recipe={open.recipe} onClose={close} />}
      {open?.kind === 'edit' && <RecipeDialog recipe={open.recipe} source={open.source} onClose={close} />}
      {linked !== undefined && list.data && (
        <LinkedRecipe recipe={list.data.find(({ id }) => id === linked)} values={linkedValues} onClose={leaveLink} />
      )}
      {from !== undefined && <TaskRecipeDialog taskId={from} onClose={leaveLink} />}
      <RemovalDialog removal={removal} titleOf={({ name }) => recipes.deleteTitle(name)} confirmLabel={ui.delete}>
        {recipes.deleteBody}
      </RemovalDialog>
    </Page>
  );
}
