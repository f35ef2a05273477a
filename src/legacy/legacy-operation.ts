import type { z } from 'zod';
import { checkInput } from '../api/contract/input-check.ts';
import { checkOutput } from '../api/contract/output-check.ts';
import { type Context, type CostClass, costOf, type ReplyOperation } from '../api/contract/operation.ts';
import type { Access } from '../rules/accounts/access.ts';
import { readFieldNames } from './field-names.ts';

type LegacyMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** With `:name` for the parts that are parameters. */
type LegacyPath = `/${string}`;

interface Row<Request extends z.ZodObject> {
  summary: string;
  access: Access;
  /** By default what its method costs. */
  cost?: CostClass;
  /** Parameters of the path together with those of the query (GET, DELETE) or the body (POST, PUT). */
  request: Request;
  bodyLimitBytes?: number;
  /** The one parameter of the query that may come several times; it is then an array. */
  repeatable?: string;
  /** Whether it also takes a form with a file, as the OpenAI SDK sends it. */
  takesForm?: boolean;
  /** Whether it answers with the bytes of the file that `response` then describes (`storedFile`). */
  givesFile?: boolean;
  /** Whether credentials of the second version are good here too, for addresses that belong to both. */
  takesAnyCredential?: boolean;
}

/** An operation of the first version of the API, made of the same store operations as those of the second. */
export interface LegacyOperation extends Row<z.ZodObject> {
  method: LegacyMethod;
  path: LegacyPath;
  cost: CostClass;
  /** As an `Idempotency-Key` remembers it. */
  name: string;
  /** What is answered; null for 204. */
  response: z.ZodObject | null;
  /** What is answered, beside nothing else: there was no envelope. Null for 204. */
  answer(input: unknown, context: Context): Promise<Record<string, unknown> | null>;
}

interface Definition<Request extends z.ZodObject, Response extends z.ZodObject | null> extends Row<Request> {
  response: Response;
  handle(input: z.output<Request>, context: Context): Promise<Response extends z.ZodObject ? z.input<Response> : null>;
}

/** A row of the table of v1 operations. What `handle` returns is checked on the way out. */
export function defineLegacy<Request extends z.ZodObject, Response extends z.ZodObject | null>(
  method: LegacyMethod,
  path: LegacyPath,
  { handle, ...row }: Definition<Request, Response>,
): LegacyOperation {
  const { request, response } = row;
  const name = `${method} ${path}`;
  return {
    cost: costOf(method),
    ...row,
    method,
    path,
    name,
    async answer(input, context) {
      const answer = await handle(checkInput(request, readFieldNames(request.shape, input)), context);
      return response === null ? null : checkOutput(name, response, answer);
    },
  };
}

/** Clients built on the OpenAI SDK leave the version out of the URL (docs/reference/wire-format.md#responses), so they are served at two. */
export function atBothAddresses(operations: readonly LegacyOperation[]): LegacyOperation[] {
  const unversioned = operations.map((operation): LegacyOperation => {
    const path: LegacyPath = `/${operation.path.slice('/v1/'.length)}`;
    return { ...operation, path, name: `${operation.method} ${path}` };
  });
  return [...operations, ...unversioned];
}

/**
 * What an operation of the second version answers to the same question. Its input is checked there again, so that both versions
 * refuse the same things in the same words.
 */
export async function askCurrent<Answer>(operation: ReplyOperation, input: object, context: Context): Promise<Answer> {
  return (await operation.answer(input, context)) as Answer;
}
