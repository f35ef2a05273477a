import { Fault } from '@errand/base/fault.ts';
import { afterEveryId } from '@errand/base/ids.ts';
import type { RecipeField } from '../../rules/recipes/recipe.ts';
import type { TaskRequest } from '../../rules/schedules/task-request.ts';
import { isMember, teamsOfAccount } from '../db/teammates.ts';
import { integer, json, nullable, tableCodec, text } from '../db/row-codec.ts';
import { countRow, teamMemberRow } from '../db/shared-rows.ts';
import {
  deleteRow,
  insertRow,
  lockAccount,
  type Script,
  selectFirst,
  selectOne,
  sql,
  type StoreOperation,
} from '../db/store-operation.ts';

/** Maximum number of recipes per account (docs/reference/choices.md#recipes). */
export const maxRecipes = 100;

/** `recipes` */
const recipeRow = tableCodec('recipes', {
  account_id: text,
  id: text,
  name: text,
  description: text,
  team_id: nullable(text),
  fields: json<RecipeField[]>(),
  request: json<TaskRequest>(),
  created_at: integer,
  updated_at: integer,
});
const { read: readRecipe, columns } = recipeRow;

/** A task saved as a form. */
export type Recipe = ReturnType<typeof readRecipe>;

/** What its owner decides. `isShared`: a team of the owner may use it, the current one when it is first shared; omitted in a change, that stays as it is. */
export interface RecipeSettings extends Pick<Recipe, 'name' | 'description' | 'fields' | 'request'> {
  isShared?: boolean | undefined;
}

/** SQL condition: the owner is still in the team with which the recipe is shared. */
const isSharedStill = isMember('recipes.account_id', 'recipes.team_id');

export interface RecipeKey {
  accountId: string;
  recipeId: string;
}

export function recipeNotFound(): Fault {
  return new Fault('not_found', 'recipe not found');
}

function* findTeam(accountId: string): Script<string | null> {
  const row = yield* selectFirst('SELECT team_id FROM team_members WHERE account_id = ?', accountId);
  return row ? teamMemberRow.team_id(row) : null;
}

function* findOwningTeam(accountId: string, isShared = false): Script<string | null> {
  if (!isShared) return null;
  const teamId = yield* findTeam(accountId);
  if (teamId === null) throw new Fault('permission_denied', 'team: this account is not in a team.');
  return teamId;
}

/** The team of a recipe that is shared from now on: the one with which it is shared already, or else the current one. */
function* chooseTeam({ accountId, recipeId }: RecipeKey, isShared: boolean): Script<string | null> {
  const row = isShared
    ? yield* selectFirst(
        `SELECT team_id FROM recipes WHERE account_id = ? AND id = ? AND ${isSharedStill}`,
        ...[accountId, recipeId],
      )
    : undefined;
  return row ? recipeRow.team_id(row) : yield* findOwningTeam(accountId, isShared);
}

export const createRecipe: StoreOperation<RecipeKey & { settings: RecipeSettings; now: number }, Recipe> = {
  name: 'recipes.create',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, recipeId, settings, now }) {
    // The lock on the account's row serializes creation, so concurrent requests cannot exceed the limit.
    yield* lockAccount(accountId);
    const held = yield* selectOne('SELECT COUNT(*) AS count FROM recipes WHERE account_id = ?', accountId);
    if (countRow.count(held) >= maxRecipes) {
      throw new Fault('resource_exhausted', `An account can have ${maxRecipes} recipes; delete one that is no longer used.`);
    }
    const { name, description, fields, request, isShared } = settings;
    const teamId = yield* findOwningTeam(accountId, isShared);
    const stored = { fields: JSON.stringify(fields), request: JSON.stringify(request), created_at: now, updated_at: now };
    yield [insertRow('recipes', { account_id: accountId, id: recipeId, name, description, team_id: teamId, ...stored })];
    return { accountId, id: recipeId, name, description, teamId, fields, request, createdAtMs: now, updatedAtMs: now };
  },
};

export interface ListRecipesArgs {
  accountId: string;
  /** Exclusive: returns recipes older than this one. */
  beforeId: string | null;
  limit: number;
}

/** A page of the account's recipes and those shared with its current team, newest first. */
export const listRecipes: StoreOperation<ListRecipesArgs, Recipe[]> = {
  name: 'recipes.list',
  access: 'read',
  *run({ accountId, beforeId, limit }) {
    // Behind every id, which consists of letters and digits.
    const page = [beforeId ?? afterEveryId, limit];
    const own = `SELECT ${columns} FROM recipes WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?`;
    const shared = `SELECT ${columns} FROM recipes WHERE team_id = (SELECT team_id FROM team_members WHERE account_id = ?)
      AND account_id <> ? AND ${isSharedStill} AND id < ? ORDER BY id DESC LIMIT ?`;
    const found = yield [sql(own, accountId, ...page), sql(shared, accountId, accountId, ...page)];
    const newestFirst = found
      .flat()
      .map(readRecipe)
      .toSorted((one, other) => (one.id < other.id ? 1 : -1));
    return newestFirst.slice(0, limit);
  },
};

/** A recipe that the account may use: its own, or one of any of its teams. */
export const getRecipe: StoreOperation<RecipeKey, Recipe> = {
  name: 'recipes.get',
  access: 'read',
  *run({ accountId, recipeId }) {
    const own = yield* selectFirst(`SELECT ${columns} FROM recipes WHERE account_id = ? AND id = ?`, accountId, recipeId);
    if (own) return readRecipe(own);
    const shared = yield* selectFirst(
      `SELECT ${columns} FROM recipes WHERE team_id IN ${teamsOfAccount} AND id = ? AND ${isSharedStill}`,
      ...[accountId, accountId, recipeId],
    );
    if (!shared) throw recipeNotFound();
    return readRecipe(shared);
  },
};

export interface UpdateRecipeArgs extends RecipeKey {
  settings: RecipeSettings;
  /** `updatedAtMs` of the recipe that the change was made from. */
  knownAtMs: number;
  now: number;
}

/** Replaces the settings of the account's recipe unless somebody else has changed it meanwhile. */
export const updateRecipe: StoreOperation<UpdateRecipeArgs, Recipe> = {
  name: 'recipes.update',
  access: 'write',
  keys: ({ recipeId }) => [recipeId],
  *run({ accountId, recipeId, settings, knownAtMs, now }) {
    const { name, description, fields, request, isShared } = settings;
    const sharing = isShared === undefined ? [] : [yield* chooseTeam({ accountId, recipeId }, isShared)];
    const updated = yield* selectFirst(
      `UPDATE recipes SET name = ?, description = ?, fields = ?, request = ?, updated_at = ?${isShared === undefined ? '' : ', team_id = ?'}
       WHERE account_id = ? AND id = ? AND updated_at = ? RETURNING ${columns}`,
      ...[name, description, JSON.stringify(fields), JSON.stringify(request), Math.max(now, knownAtMs + 1), ...sharing],
      ...[accountId, recipeId, knownAtMs],
    );
    if (updated) return readRecipe(updated);
    const left = yield* selectFirst('SELECT id FROM recipes WHERE account_id = ? AND id = ?', accountId, recipeId);
    if (!left) throw recipeNotFound();
    throw new Fault('conflict', 'The recipe was changed by somebody else meanwhile; read it and change it again.');
  },
};

/** Deletes a recipe; only the account that made it can. */
export const deleteRecipe: StoreOperation<RecipeKey, null> = {
  name: 'recipes.delete',
  access: 'write',
  keys: ({ recipeId }) => [recipeId],
  *run({ accountId, recipeId }) {
    if (!(yield* deleteRow('id', 'recipes', { account_id: accountId, id: recipeId }))) throw recipeNotFound();
    return null;
  },
};
