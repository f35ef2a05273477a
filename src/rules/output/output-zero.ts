import { readOutputSchema } from './output-reader.ts';
import { admitsScalar, branchesOf, orderShapes, type OutputShapes, partsOf, type Plain, type Shape } from './output-shape.ts';
import type { OutputSchema } from '../events/task-event.ts';

/** How to create the zero value of a shape, and how many values it contains. */
type Recipe = { size: number } & ({ make: 'value'; value: unknown } | { make: 'array' | 'object' } | { make: 'same'; as: Shape });

type Recipes = ReadonlyMap<Shape, Recipe>;

export interface ZeroPlan {
  readonly recipes: Recipes;
  /** The innermost `$ref` or `anyOf` to which no finite value conforms; null if there is none. */
  readonly endless: Shape | null;
}

function findNullable(all: readonly Shape[]): ReadonlySet<Shape> {
  const nullable = new Set<Shape>();
  for (const shape of orderShapes(all, branchesOf).order) {
    const admits = shape.kind === 'union' ? shape.branches.some((branch) => nullable.has(branch)) : admitsScalar(shape, null);
    if (admits) nullable.add(shape);
  }
  return nullable;
}

/** The first type whose zero value can be created; an object's can once those of all its properties can. */
function planPlain(shape: Plain, recipes: Recipes): Recipe | null {
  if (shape.values) return { make: 'value', value: shape.values.values().next().value, size: 1 };
  for (const type of shape.types) {
    if (type === 'string') return { make: 'value', value: '', size: 1 };
    if (type === 'boolean') return { make: 'value', value: false, size: 1 };
    if (type === 'number' || type === 'integer') return { make: 'value', value: 0, size: 1 };
    if (type === 'array') return { make: 'array', size: 1 };
    const sizes = [...shape.properties.values()].map((property) => recipes.get(property)?.size ?? 0);
    if (!sizes.includes(0)) return { make: 'object', size: sizes.reduce((sum, size) => sum + size, 1) };
  }
  return null;
}

function planShape(shape: Shape, nullable: ReadonlySet<Shape>, recipes: Recipes): Recipe | null {
  if (nullable.has(shape)) return { make: 'value', value: null, size: 1 };
  if (shape.kind === 'plain') return planPlain(shape, recipes);
  for (const as of shape.branches) {
    const recipe = recipes.get(as);
    if (recipe) return { make: 'same', as, size: recipe.size };
  }
  return null;
}

/**
 * A recipe for every shape that has one. A shape gets its recipe only after its parts, so that following recipes always ends, even for
 * recursive schemas. Parts come before their containers; only if a recursion makes that impossible is a shape retried, once for each
 * part that got its recipe later.
 * Needs a schema without bare `$ref` loops.
 */
export function planZeros({ all }: OutputShapes): ZeroPlan {
  const nullable = findNullable(all);
  const recipes = new Map<Shape, Recipe>();
  const uses = Map.groupBy(
    all.flatMap((user) => partsOf(user).map((part) => ({ part, user }))),
    ({ part }) => part,
  );
  const queue = orderShapes(all, partsOf).order;
  for (const shape of queue) {
    const recipe = recipes.has(shape) ? null : planShape(shape, nullable, recipes);
    if (!recipe) continue;
    recipes.set(shape, recipe);
    for (const { user } of uses.get(shape) ?? []) if (!recipes.has(user)) queue.push(user);
  }
  const endless = queue.find((shape) => shape.kind === 'union' && !recipes.has(shape));
  return { recipes, endless: endless ?? null };
}

function makeZero(shape: Shape, recipes: Recipes): unknown {
  let at = shape;
  let recipe = recipes.get(at);
  for (; recipe?.make === 'same'; recipe = recipes.get(at)) at = recipe.as;
  if (recipe?.make === 'value') return recipe.value;
  if (recipe?.make === 'array') return [];
  const properties = at.kind === 'plain' ? at.properties : [];
  return Object.fromEntries([...properties].map(([name, property]) => [name, makeZero(property, recipes)]));
}

/**
 * The substitute for a result that could not be extracted (docs/reference/api.md#structured-output-result): it always conforms
 * to `schema`, which must have passed `checkOutputSchema`. Null wherever null conforms, else the first of `enum`, of a list
 * of types, or of the branches of `anyOf` that does not need itself.
 */
export function zeroValue(schema: OutputSchema): unknown {
  const shapes = readOutputSchema(schema);
  return makeZero(shapes.root, planZeros(shapes).recipes);
}
