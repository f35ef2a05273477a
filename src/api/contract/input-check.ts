import type { z } from 'zod';
import { Fault, invalidField, missingField } from '@errand/base/fault.ts';

type Issue = z.core.$ZodIssue;

/** The message for a missing field; reported as `field is required`. */
export const missing = 'is required';

/** The default message for an invalid value. */
const unclear = 'is not valid';

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

const units: Record<string, string> = { string: 'character', array: 'item', set: 'item' };

function listValues(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

/** A number is at most 5; a text has at most 5 characters. */
function describeBound(bound: string, count: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit === undefined
    ? `must be ${bound} ${count}`
    : `must have ${bound} ${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
}

/** What is wrong with a value, to follow the name of its field. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return missing;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nouns[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${listValues(issue.values)}`;
    case 'too_big':
      return describeBound('at most', issue.maximum, issue.origin);
    case 'too_small':
      return describeBound('at least', issue.minimum, issue.origin);
    default:
      return unclear;
  }
}

function joinPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

/** Picks the issue to report for alternative schemas: that of the best match, which the caller probably meant. */
function flattenUnion(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const branches = issue.errors.flatMap(([first]) => first ?? []).map(flattenUnion);
  const nearest = branches.toSorted((a, b) => b.path.length - a.path.length)[0];
  if (!nearest) return issue;
  const path = [...issue.path, ...nearest.path];
  if (nearest.path.length > 0) return { ...nearest, path };
  if (issue.message !== unclear) return issue;
  const forms = branches.map(({ message }) => message.replace(/^must be /, ''));
  return { ...nearest, path, message: `must be ${forms.join(' or ')}` };
}

function faultOf(issue: Issue | undefined): Fault {
  if (!issue) return new Fault('invalid_argument', 'The request is not valid.');
  const { path, message } = flattenUnion(issue);
  const field = joinPath(path) || 'body';
  return message === missing ? missingField(field) : invalidField(field, message);
}

/** The validated input, without unknown fields; or 400 `invalid_argument` with one sentence naming the field. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const checked = schema.safeParse(input, { error: describeIssue });
  if (checked.success) return checked.data;
  throw faultOf(checked.error.issues[0]);
}
