export const typeNames = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;
export type TypeName = (typeof typeNames)[number];
export type Scalar = string | number | boolean | null;

/** One of several: the branches of an `anyOf`, or the single target of a `$ref`. */
export interface Union {
  readonly kind: 'union';
  readonly path: string;
  readonly branches: readonly Shape[];
}

export interface Plain {
  readonly kind: 'plain';
  readonly path: string;
  readonly types: readonly TypeName[];
  /** The values of `enum`; null if any value of the types is valid. */
  readonly values: ReadonlySet<Scalar> | null;
  readonly properties: ReadonlyMap<string, Shape>;
  readonly items: Shape | null;
}

/** One position of a schema. `path` identifies it to callers: `.orders[].price`, empty for the root. */
export type Shape = Union | Plain;

/** A parsed schema: its root, and all positions, including those of `$defs`. */
export interface OutputShapes {
  readonly root: Shape;
  readonly all: readonly Shape[];
}

/** True for values that JSON can represent: not for Infinity, which `JSON.parse` returns for 1e400. */
export function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Whether a scalar is of a type. Integers are classified by value: 1.0 is one. */
export function isOfType(value: Scalar, type: TypeName): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return value !== null && typeof value === type;
}

/** Whether a scalar conforms to a plain position. */
export function admitsScalar(shape: Plain, value: Scalar): boolean {
  return shape.values ? shape.values.has(value) : shape.types.some((type) => isOfType(value, type));
}

/** The positions that a value at this one may have to conform to next: branches, properties, items. */
export function partsOf(shape: Shape): readonly Shape[] {
  if (shape.kind === 'union') return shape.branches;
  return shape.items ? [...shape.properties.values(), shape.items] : [...shape.properties.values()];
}

export function branchesOf(shape: Shape): readonly Shape[] {
  return shape.kind === 'union' ? shape.branches : [];
}

export function isContainer(shape: Shape): shape is Plain {
  return shape.kind === 'plain' && (shape.types.includes('object') || shape.types.includes('array'));
}

/**
 * All shapes reachable from `roots`, each after those reachable from it; a step back to a shape that is still being visited is omitted,
 * and the shape added to `loops`. Iterative, because a chain of `$ref`s can be long.
 */
export function orderShapes(
  roots: readonly Shape[],
  next: (shape: Shape) => readonly Shape[],
): { order: Shape[]; loops: Shape[] } {
  const done = new Set<Shape>();
  const open = new Set<Shape>();
  const loops: Shape[] = [];
  const stack: { shape: Shape | null; rest: Iterator<Shape> }[] = [{ shape: null, rest: roots.values() }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const step = top.rest.next();
    if (step.done) {
      stack.pop();
      if (top.shape) done.add(top.shape);
    } else if (!done.has(step.value)) {
      if (open.has(step.value)) loops.push(step.value);
      else stack.push({ shape: step.value, rest: next(step.value).values() });
      open.add(step.value);
    }
  }
  return { order: [...done], loops };
}
