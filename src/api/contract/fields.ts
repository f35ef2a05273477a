import { z } from 'zod';
import { shareVisibilities } from '../../store/tasks/task-record.ts';
import { missing } from './input-check.ts';

/** An optional field; clients in languages without absent fields send null instead. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Optional strings, by field name. */
export function optionalTexts<Name extends string>(...names: readonly Name[]) {
  const fields = names.map((name) => [name, optional(z.string())] as const);
  return Object.fromEntries(fields) as Record<Name, (typeof fields)[number][1]>;
}

/** A required, non-empty string. */
export function requiredText(about: string) {
  return z.string().min(1, missing).meta({ description: about });
}

/** `shownAs` replaces the schema in the OpenAPI document: everything in a query is text before validation. */
function queryField<Value>(pattern: RegExp, problem: string, read: (text: string) => Value, shownAs: Record<string, unknown>) {
  return z.string().regex(pattern, problem).transform(read).meta({ shownAs });
}

export function queryInteger(minimum: number, maximum: number, fallback: number) {
  const problem = `must be an integer between ${minimum} and ${maximum}`;
  return queryField(/^\d{1,9}$/, problem, Number, { type: 'integer', minimum, maximum, default: fallback })
    .refine((value) => value >= minimum && value <= maximum, problem)
    .default(fallback);
}

export function queryFlag(about: string) {
  return queryField(/^(true|false)$/, 'must be true or false', (text) => text === 'true', {
    type: 'boolean',
    default: false,
    description: about,
  }).default(false);
}

/** An optional time of a query, in seconds. */
export function queryTime(about: string) {
  const shown = { type: 'integer', description: about };
  return queryField(/^\d{1,12}$/, 'must be a Unix time in seconds', Number, shown).optional();
}

export const taskId = requiredText('Identifier of the task, or `agent-default-main_task`.');
export const cursor = z.string().optional().meta({ description: '`next_cursor` of the previous page of the same query.' });
export const shareVisibility = z.enum(shareVisibilities);

/** Pagination fields: whether there are more items, and the next cursor. */
export const pageEnd = {
  has_more: z.boolean(),
  next_cursor: z.string().optional().meta({ description: 'Present only when `has_more` is true.' }),
};
