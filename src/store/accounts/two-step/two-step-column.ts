import { computedCodec, flag } from '../../db/row-codec.ts';

/** Reads `hasTwoStepSql(…) AS two_step`. */
export const twoStepRow = computedCodec('second step of an account', { two_step: flag });

/** Whether the account of a row asks for a second step at sign-in, as an SQL value: 1 or 0. */
export function hasTwoStepSql(accountColumn: string): string {
  const confirmed = `SELECT 1 FROM authenticators x WHERE x.account_id = ${accountColumn} AND x.confirmed_at IS NOT NULL`;
  return `CASE WHEN EXISTS (${confirmed}) THEN 1 ELSE 0 END`;
}
