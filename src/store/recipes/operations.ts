import { createRecipe, deleteRecipe, getRecipe, listRecipes, updateRecipe } from './recipes.ts';

/** Every operation on recipes. */
export const recipeOperations = [createRecipe, listRecipes, getRecipe, updateRecipe, deleteRecipe];
