import type { Operation } from '../contract/operation.ts';
import { recipeCreate } from './recipe.create.ts';
import { recipeDelete } from './recipe.delete.ts';
import { recipeDetail } from './recipe.detail.ts';
import { recipeList } from './recipe.list.ts';
import { recipeRun } from './recipe.run.ts';
import { recipeUpdate } from './recipe.update.ts';

export const recipeOperations: readonly Operation[] = [
  recipeCreate,
  recipeList,
  recipeDetail,
  recipeUpdate,
  recipeDelete,
  recipeRun,
];
