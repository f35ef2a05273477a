import type { z } from 'zod';
import { checkInput } from '../api/contract/input-check.ts';
import { handleUnknown, listUnknown } from '../api/contract/unknown-fields.ts';
import { checkOutput } from '../api/contract/output-check.ts';
import { type Context, type CostClass, costOf, type ReplyOperation } from '../api/contract/operation.ts';
import type { Access } from '../rules/accounts/access.ts';
import { type FieldRenaming, readFieldNames, renameFaultField, spelledAs, toCamelCase } from './field-names.ts';

type LegacyMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Path of an operation, with `:name` for parameters. */
type LegacyPath = `/${string}`;

interface Row<Request extends z.ZodObject> {
  summary: string;
  access: Access;
  /** Default: by its method. */
  cost?: CostClass;
  /** Path parameters together with those of the query (GET, DELETE) or the body (POST, PUT). */
  request: Request;
  /** Translates names of v2 fields in errors; default: no translation. */
  renameField?: FieldRenaming;
  bodyLimitBytes?: number;
  /** The one query parameter that may be repeated; its value is an array. */
  repeatable?: string;
  /** Whether it also accepts a multipart form with a file, as sent by the OpenAI SDK. */
  takesForm?: boolean;
  /** Whether it returns the bytes of the file described by `response` (`storedFile`). */
  givesFile?: boolean;
  /** Whether it also accepts credentials of v2, for URLs that belong to both. */
  takesAnyCredential?: boolean;
}

/** An operation of v1, built on the same store operations as those of v2. */
export interface LegacyOperation extends Row<z.ZodObject> {
  method: LegacyMethod;
  path: LegacyPath;
  cost: CostClass;
  /** Name of the operation for the `Idempotency-Key`. */
  name: string;
  /** The response; null for 204. */
  response: z.ZodObject | null;
  /** The complete response: v1 has no envelope. Null for 204. */
  answer(input: unknown, context: Context): Promise<Record<string, unknown> | null>;
}

interface Definition<Request extends z.ZodObject, Response extends z.ZodObject | null> extends Row<Request> {
  response: Response;
  handle(input: z.output<Request>, context: Context): Promise<Response extends z.ZodObject ? z.input<Response> : null>;
}

/** A row of the table of v1 operations. What `handle` returns is validated before it is sent. */
export function defineLegacy<Request extends z.ZodObject, Response extends z.ZodObject | null>(
  method: LegacyMethod,
  path: LegacyPath,
  { handle, ...row }: Definition<Request, Response>,
): LegacyOperation {
  const { request, response } = row;
  const name = `${method} ${path}`;
  const takeInput = async (input: unknown, context: Context) => {
    const checked = checkInput(request, readFieldNames(request.shape, input));
    const isKnown = (field: string) => Object.hasOwn(request.shape, toCamelCase(field));
    const unknown = listUnknown(request, input).filter((field) => !isKnown(field));
    handleUnknown(unknown, context);
    return handle(checked, context).catch((error: unknown) => {
      throw row.renameField ? renameFaultField(error, row.renameField) : error;
    });
  };
  return {
    cost: costOf(method),
    ...row,
    method,
    path,
    name,
    async answer(input, context) {
      const answer = await takeInput(input, context).catch((error: unknown) => {
        throw renameFaultField(error, spelledAs(input));
      });
      return response === null ? null : checkOutput(name, response, answer);
    },
  };
}

/** Clients built on the OpenAI SDK omit the version (docs/reference/wire-format.md#responses), so these operations have two URLs. */
export function atBothAddresses(operations: readonly LegacyOperation[]): LegacyOperation[] {
  const unversioned = operations.map((operation): LegacyOperation => {
    const path: LegacyPath = `/${operation.path.slice('/v1/'.length)}`;
    return { ...operation, path, name: `${operation.method} ${path}` };
  });
  return [...operations, ...unversioned];
}

/**
 * Calls the corresponding v2 operation. It validates the input again, so that both versions reject the same things with the same messages.
 */
export async function askCurrent<Answer>(operation: ReplyOperation, input: object, context: Context): Promise<Answer> {
  return (await operation.answer(input, context)) as Answer;
}
