import { z } from 'zod';

/**
 * An operation that commands ask of the service. The schemas describe only what commands read of a result; `--json` passes on
 * the rest as it came.
 */
export interface Operation<Result extends z.ZodType = z.ZodType> {
  method: 'GET' | 'POST';
  /** `admin` for the operator of the instance, which no API key may call. */
  prefix: '/v2/' | '/admin/';
  result: Result;
}

function operation<Result extends z.ZodType>(method: Operation['method'], prefix: Operation['prefix'], result: Result) {
  return { method, prefix, result } satisfies Operation;
}

/** An operation of users that reads. */
export const read = <Shape extends z.ZodRawShape>(shape: Shape) => operation('GET', '/v2/', z.looseObject(shape));
/** An operation of users that writes. */
export const write = <Shape extends z.ZodRawShape>(shape: Shape) => operation('POST', '/v2/', z.looseObject(shape));
/** An operation of the operator that reads. */
export const adminRead = <Shape extends z.ZodRawShape>(shape: Shape) => operation('GET', '/admin/', z.looseObject(shape));
/** An operation of the operator that writes. */
export const adminWrite = <Shape extends z.ZodRawShape>(shape: Shape) => operation('POST', '/admin/', z.looseObject(shape));

/** Where a list resumes. */
export const rest = { next_cursor: z.string().optional() };

/** The members of a page of a list. */
export function pageOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const data = z.array(z.looseObject(shape));
  return { data, has_more: z.boolean().optional(), ...rest };
}
