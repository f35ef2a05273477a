import { propertyPath, quoteName, describeAt } from './output-path.ts';
import { readOutputSchema } from './output-reader.ts';
import {
  branchesOf,
  isContainer,
  isOfType,
  isScalar,
  orderShapes,
  type Plain,
  type Scalar,
  type Shape,
  type TypeName,
} from './output-shape.ts';
import type { OutputSchema } from '../events/task-event.ts';

/** What a shape accepts, with `$ref`s resolved and `anyOf`s flattened. */
interface Admitted {
  types: Set<TypeName>;
  values: Set<Scalar>;
  containers: readonly Plain[];
}

interface Part {
  step: string | number;
  shape: Shape;
  value: unknown;
}

/** What an object or array lacks or has beyond a shape, and what remains to compare. */
interface Comparison {
  missing: readonly string[];
  extra: readonly string[];
  parts: readonly Part[];
}

/** How far one object or array is from one object or array shape; zero faults: it conforms. */
interface Question {
  readonly comparison: Comparison;
  faults: number;
}

const mostListed = 10;

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Compares a value with one object or array shape; null if their kinds differ. */
function compare(plain: Plain, value: object): Comparison | null {
  if (Array.isArray(value)) {
    const shape = plain.items;
    return shape && { missing: [], extra: [], parts: value.map((item: unknown, step) => ({ step, shape, value: item })) };
  }
  if (!plain.types.includes('object')) return null;
  const entries = Object.entries(value);
  return {
    missing: [...plain.properties.keys()].filter((name) => !Object.hasOwn(value, name)),
    extra: entries.flatMap(([name]) => (plain.properties.has(name) ? [] : [name])),
    parts: entries.flatMap(([step, part]: [string, unknown]) => {
      const shape = plain.properties.get(step);
      return shape ? [{ step, shape, value: part }] : [];
    }),
  };
}

/**
 * Compares each object or array of a value with each shape it may have to conform to, once: first all pairs are collected, level by
 * level, then they are resolved from the deepest up. So neither a deep value nor a union of similar branches costs more than
 * shapes × values.
 */
class Inquiry {
  readonly #questions: Question[] = [];
  readonly #known = new Map<object, Map<Plain, Question>>();
  readonly #admitted = new Map<Shape, Admitted>();

  constructor(shape: Shape, value: unknown) {
    this.#gather(shape, value);
    for (const { comparison } of this.#questions) for (const part of comparison.parts) this.#gather(part.shape, part.value);
    for (const question of this.#questions.toReversed()) {
      const { missing, extra, parts } = question.comparison;
      const wrong = parts.filter((part) => !this.fits(part.shape, part.value));
      question.faults = missing.length + extra.length + wrong.length;
    }
  }

  fits(shape: Shape, value: unknown): boolean {
    const { types, values, containers } = this.admittedBy(shape);
    if (isComposite(value)) return containers.some((plain) => this.#known.get(value)?.get(plain)?.faults === 0);
    return isScalar(value) && (values.has(value) || types.values().some((type) => isOfType(value, type)));
  }

  ask(shape: Shape, value: object): Question[] {
    const known = this.#known.get(value);
    return this.admittedBy(shape).containers.flatMap((plain) => known?.get(plain) ?? []);
  }

  admittedBy(shape: Shape): Admitted {
    const known = this.#admitted.get(shape);
    if (known) return known;
    const plains = orderShapes([shape], branchesOf).order.filter((one) => one.kind === 'plain');
    const admitted: Admitted = {
      types: new Set(plains.flatMap(({ values, types }) => (values ? [] : types))),
      values: new Set(plains.flatMap(({ values }) => [...(values ?? [])])),
      containers: plains.filter(isContainer),
    };
    this.#admitted.set(shape, admitted);
    return admitted;
  }

  #gather(shape: Shape, value: unknown): void {
    if (!isComposite(value)) return;
    const known = this.#known.get(value) ?? new Map<Plain, Question>();
    this.#known.set(value, known);
    for (const plain of this.admittedBy(shape).containers) {
      const comparison = known.has(plain) ? null : compare(plain, value);
      if (!comparison) continue;
      const question = { comparison, faults: Infinity };
      known.set(plain, question);
      this.#questions.push(question);
    }
  }
}

function nameValue(value: unknown): string {
  if (isComposite(value)) return Array.isArray(value) ? 'an array' : 'an object';
  return typeof value === 'string' ? quoteName(value) : String(value);
}

function nameExpected({ types, values }: Admitted): string {
  const names = [...types, ...values.values().map((value) => nameValue(value))];
  const listed = names.slice(0, mostListed).join(' or ');
  return names.length > mostListed ? `${listed} or …` : listed;
}

/** Follows the branch that is closest to the value down to the first fault. */
function explain(inquiry: Inquiry, root: Shape, value: unknown): string {
  let at: Part = { step: '', shape: root, value };
  let path = '';
  for (;;) {
    const questions = isComposite(at.value) ? inquiry.ask(at.shape, at.value) : [];
    const [closest] = questions.toSorted((a, b) => a.faults - b.faults);
    const { missing = [], extra = [], parts = [] } = closest?.comparison ?? {};
    if (missing[0] !== undefined) return describeAt(path, `the property ${quoteName(missing[0])} is missing`);
    if (extra[0] !== undefined) return describeAt(path, `the property ${quoteName(extra[0])} is not in the schema`);
    const wrong = parts.find((part) => !inquiry.fits(part.shape, part.value));
    if (!wrong) return describeAt(path, `expected ${nameExpected(inquiry.admittedBy(at.shape))}, got ${nameValue(at.value)}`);
    path = typeof wrong.step === 'number' ? `${path}[${wrong.step}]` : propertyPath(path, wrong.step);
    at = wrong;
  }
}

/**
 * The first reason why `value`, as parsed from JSON, does not conform to `schema`, in words that a model can act on; null if
 * it does. The schema must have passed `checkOutputSchema`. Only own properties count, and an object must have exactly those
 * of the schema. Ends for any value, however deep.
 */
export function findMismatch(schema: OutputSchema, value: unknown): string | null {
  const { root } = readOutputSchema(schema);
  const inquiry = new Inquiry(root, value);
  return inquiry.fits(root, value) ? null : explain(inquiry, root, value);
}
