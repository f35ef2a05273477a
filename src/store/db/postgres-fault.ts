import { DatabaseError } from 'pg';
import { Fault } from '@errand/base/fault.ts';

/**
 * Transient errors: connection failures (08), insufficient resources (53), a server that stops, starts or cancels (57), system errors (58),
 * transaction conflicts (40), and a server that is read-only since it became a standby.
 */
const passing = /^(08|53|57|58|40|25P02|25006)/;

function isPassing(error: unknown): boolean {
  if (error instanceof DatabaseError) return passing.test(error.code ?? '');
  // Any other rejection of the driver is a broken or silent connection, except for incorrect calls.
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError);
}

/** The fault for a failed statement: `unavailable` if a retry may help, `internal` if not. */
export function translateError(error: unknown): Error {
  if (error instanceof Fault) return error;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const detail = `${code} ${message}`.trim();
  if (!isPassing(error)) return new Fault('internal', 'Something went wrong inside the service.', { cause: error, detail });
  const text = 'The storage is temporarily unavailable; try again.';
  return new Fault('unavailable', text, { cause: error, detail, retryAfterS: 1 });
}
