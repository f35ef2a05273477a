import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { checkInput } from './input-check.ts';

/** Names that are reported; a request can have any number. */
const mostNames = 20;
const longestName = 64;

/** The schema of the value that a caller sends. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap());
  return schema;
}

/** The one alternative that a value can belong to; null if it is not clear which. */
function chooseOption(union: z.ZodUnion, value: object): z.core.$ZodType | null {
  const kind = Array.isArray(value) ? z.ZodArray : z.ZodObject;
  const [option, ...others] = union.options.map(unwrap).filter((candidate) => candidate instanceof kind);
  return option && others.length === 0 ? option : null;
}

function* findUnknown(wrapped: z.core.$ZodType, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const schema = unwrap(wrapped);
  if (schema instanceof z.ZodUnion) {
    const option = chooseOption(schema, value);
    if (option) yield* findUnknown(option, value, path);
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findUnknown(schema.element, item, `${path}[${index}]`);
  } else if (schema instanceof z.ZodObject && !Array.isArray(value)) {
    const shape = schema.shape as Record<string, z.core.$ZodType>;
    for (const [name, item] of Object.entries(value)) {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const place = path === '' ? name : `${path}.${name}`;
      if (field) yield* findUnknown(field, item, place);
      else yield place;
    }
  }
}

/** A name in a form that a header can carry. */
function encodeName(name: string): string {
  return name
    .slice(0, longestName)
    .toWellFormed()
    .replaceAll(/[^\w.[\]-]+/g, encodeURIComponent);
}

/** The first fields of an input that its schema does not have. */
export function listUnknown(schema: z.ZodObject, input: unknown): string[] {
  const names: string[] = [];
  for (const name of findUnknown(schema, input, '')) if (names.push(encodeName(name)) === mostNames) break;
  return names;
}

/** How a request wants unknown fields to be handled (docs/reference/choices.md#unknown-fields). */
export interface UnknownFields {
  isStrict: boolean;
  /** Tells the caller that these fields were ignored. */
  noteIgnored(names: readonly string[]): void;
}

/** Notes unknown fields, or rejects them with 400 `invalid_argument` if the caller asked for it. */
export function handleUnknown(names: readonly string[], { isStrict, noteIgnored }: UnknownFields): void {
  const [first] = names;
  if (first === undefined) return;
  if (isStrict) throw invalidField(first, 'is not a field of this operation; leave it out');
  noteIgnored(names);
}

/** `checkInput` of a request, with its unknown fields handled as the caller asks. */
export function readInput<Schema extends z.ZodObject>(schema: Schema, input: unknown, context: UnknownFields): z.output<Schema> {
  const checked = checkInput(schema, input);
  handleUnknown(listUnknown(schema, input), context);
  return checked;
}
