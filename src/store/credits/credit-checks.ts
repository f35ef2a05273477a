import { Fault } from '@errand/base/fault.ts';
import { creditKinds } from '../../rules/credits/credit-balance.ts';
import { computedCodec, integer } from '../db/row-codec.ts';
import { type Script, selectFirst } from '../db/store-operation.ts';
import { sumOfOpen } from './credit-balances.ts';
import { creditsInSql } from './session-meter.ts';

const totalRow = computedCodec('the credits of an account', { total: integer });

/** What the refusal of work says about the credits to come. */
export interface CreditDemand {
  /** Milliseconds until more credits come by themselves; null where none do. */
  refreshInMs: number | null;
}

/** Refuses work of an account whose records add up to nothing, in the transaction of that work and before its first write. */
export function* checkCredits(accountId: string, demand: CreditDemand): Script<void> {
  const row = yield* selectFirst(
    `SELECT ${creditKinds.join(' + ')} + ${sumOfOpen} AS total FROM credit_balances b WHERE b.account_id = ?`,
    accountId,
  );
  if (!row || totalRow.total(row) <= 0) throw noCredits(demand);
}

/**
 * The same for work that agents give to each other. What sessions under way have cost so far, at least one credit each, is taken as
 * spent: an agent could otherwise begin any number before the first of them is paid for. One after the other for an account.
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
