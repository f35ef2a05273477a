import { Fault } from '@errand/base/fault.ts';
import { creditKinds } from '../../rules/credits/credit-balance.ts';
import { computedCodec, integer } from '../db/row-codec.ts';
import { type Script, selectFirst } from '../db/store-operation.ts';
import { sumOfOpen } from './credit-balances.ts';
import { creditsInSql } from './session-meter.ts';

const totalRow = computedCodec('the credits of an account', { total: integer });

/** What an error about missing credits says about the next ones. */
export interface CreditDemand {
  /** Milliseconds until more credits are granted automatically; null if none are. */
  refreshInMs: number | null;
}

/** Rejects work of an account without credits, in the transaction of that work and before its first write. */
export function* checkCredits(accountId: string, demand: CreditDemand): Script<void> {
  const row = yield* selectFirst(
    `SELECT ${creditKinds.join(' + ')} + ${sumOfOpen} AS total FROM credit_balances b WHERE b.account_id = ?`,
    accountId,
  );
  if (!row || totalRow.total(row) <= 0) throw noCredits(demand);
}

/**
 * Rejects work between agents if the account has no credits. The cost so far of running sessions, at least one credit each, counts as
 * spent: otherwise an agent could start any number before the first is billed. Serialized per account.
 */
export function* checkCreditsForAgents(accountId: string, demand: CreditDemand): Script<void> {
  yield* selectFirst('SELECT account_id FROM credit_balances WHERE account_id = ? FOR UPDATE', accountId);
  const row = yield* selectFirst(
    `SELECT ${creditKinds.join(' + ')} + ${sumOfOpen} - (SELECT COALESCE(SUM(${creditsInSql('(session_cost + open_cost)')}), 0)
       FROM tasks t INDEXED BY tasks_due WHERE t.account_id = b.account_id AND t.wake_at IS NOT NULL) AS total
     FROM credit_balances b WHERE b.account_id = ?`,
    accountId,
  );
  if (!row || totalRow.total(row) <= 0) throw noCredits(demand);
}

function noCredits({ refreshInMs }: CreditDemand): Fault {
  const remedy = refreshInMs === null ? 'ask whoever runs this service for more' : 'wait for the next refresh';
  return new Fault('resource_exhausted', `No credits left; ${remedy}.`, {
    ...(refreshInMs !== null && { retryAfterS: Math.ceil(refreshInMs / 1000) }),
  });
}
