import { DatabaseError } from 'pg';
import { Fault } from '@errand/base/fault.ts';

/**
 * What passes by itself: connection trouble (08), missing resources (53), a server that stops, starts or cancels (57), trouble
 * of its machine (58), transactions that got in each other's way (40), and a server that only reads since it became a standby.
 */
const passing = /^(08|53|57|58|40|25P02|25006)/;

function isPassing(error: unknown): boolean {
  if (error instanceof DatabaseError) return passing.test(error.code ?? '');
  // Whatever else the driver rejects with is a broken or silent connection, except for a mistake in calling it.
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError);
}

/** What a failed statement is to the rest of the service: `unavailable` if trying again may help, `internal` if not. */
export function translateError(error: unknown): Error {
  if (error instanceof Fault) return error;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const detail = `${code} ${message}`.trim();
  if (!isPassing(error)) return new Fault('internal', 'Something went wrong inside the service.', { cause: error, detail });
  const text = 'The storage is temporarily unavailable; try again.';
  return new Fault('unavailable', text, { cause: error, detail, retryAfterS: 1 });
}
