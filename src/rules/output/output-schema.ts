import { Fault } from '@errand/base/fault.ts';
import { readOutputSchema, refuseSchema } from './output-reader.ts';
import { branchesOf, isContainer, orderShapes, type OutputShapes, partsOf, type Shape } from './output-shape.ts';
import { planZeros } from './output-zero.ts';

export interface OutputLimits {
  /** Size of the schema as compact JSON in UTF-8. */
  bytes: number;
  /** Number of properties of all objects together, including those in `$defs`. */
  properties: number;
}

const defaultOutputLimits: OutputLimits = { bytes: 65_536, properties: 500 };

const deepestValue = 5;
const tooDeep = `must not nest deeper than ${deepestValue} levels of objects and arrays`;
/** Far more than 5 levels of objects need, and few enough to parse a schema recursively. */
const deepestJson = 64;
/** `$ref` lets a small schema require a huge object; its zero value must be created and stored. */
const largestZero = 10_000;

/** A lower bound of the bytes that a value takes in JSON, without what is nested in it. */
function countOwnBytes(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.keys(value).reduce((sum, key) => sum + key.length, 0);
}

/** Walks with its own stack, because the caller controls the depth, and serializes only what cannot far exceed the limit. */
function checkSize(schema: unknown, maxBytes: number): void {
  const tooLarge = `must not be larger than ${maxBytes} bytes`;
  const stack = [{ value: schema, depth: 1 }];
  let leastBytes = 0;
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { value, depth } = top;
    leastBytes += countOwnBytes(value);
    if (leastBytes > maxBytes) throw refuseSchema('', tooLarge);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > deepestJson) throw refuseSchema('', tooDeep);
    for (const inner of Object.values(value)) stack.push({ value: inner, depth: depth + 1 });
  }
  if (Buffer.byteLength(JSON.stringify([schema])) - 2 > maxBytes) throw refuseSchema('', tooLarge);
}

function checkPropertyCount({ all }: OutputShapes, maxProperties: number): void {
  const count = all.reduce((sum, shape) => sum + (shape.kind === 'plain' ? shape.properties.size : 0), 0);
  if (count > maxProperties) throw refuseSchema('', `must not have more than ${maxProperties} properties in all`);
}

/** A loop of only `$ref` and `anyOf` does not restrict a value, and following it would never end. */
function checkLoops({ all }: OutputShapes): void {
  const [loop] = orderShapes(all, branchesOf).loops;
  if (loop) throw refuseSchema(loop.path, 'leads back to itself by "$ref" without an object or array between');
}

function levelOf(shape: Shape): number {
  return isContainer(shape) ? 1 : 0;
}

/** Counts through `$ref`, so that equivalent schemas count the same; a recursion counts once. */
function checkDepth({ root }: OutputShapes): void {
  const heights = new Map<Shape, number>();
  const heightOf = (shape: Shape): number => heights.get(shape) ?? 0;
  for (const shape of orderShapes([root], partsOf).order) {
    heights.set(shape, levelOf(shape) + Math.max(0, ...partsOf(shape).map(heightOf)));
  }
  if (heightOf(root) <= deepestValue) return;
  let at = root;
  for (let level = levelOf(at); level <= deepestValue; level += levelOf(at)) {
    at = partsOf(at).reduce((deepest, part) => (heightOf(part) > heightOf(deepest) ? part : deepest));
  }
  throw refuseSchema(at.path, tooDeep);
}

function checkValueExists(shapes: OutputShapes): void {
  const { recipes, endless } = planZeros(shapes);
  if (endless) throw refuseSchema(endless.path, 'requires itself without end: make it nullable or the items of an array');
  if ((recipes.get(shapes.root)?.size ?? 0) > largestZero) {
    throw refuseSchema('', `needs more than ${largestZero} values to conform, because objects are repeated by "$ref"`);
  }
}

/**
 * Checks a caller's `structured_output_schema` (docs/reference/api.md#schema-subset): null if tasks
 * can use it, else the public message about the first problem, for a 400 `invalid_argument`.
 */
export function checkOutputSchema(schema: unknown, limits: OutputLimits = defaultOutputLimits): string | null {
  try {
    checkSize(schema, limits.bytes);
    const shapes = readOutputSchema(schema);
    checkPropertyCount(shapes, limits.properties);
    checkLoops(shapes);
    checkDepth(shapes);
    checkValueExists(shapes);
    return null;
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_argument') return error.message;
    throw error;
  }
}
