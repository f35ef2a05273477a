import { changeCredits, findUnsettled, readBalance, settleCredits } from './credit-balances.ts';
import { readMemberUsage, readTeamDays } from './team-usage.ts';
import { listUsage } from './usage-ledger.ts';

/** The operations on credits that the database thread knows. */
export const creditOperations = [
  changeCredits,
  findUnsettled,
  readBalance,
  settleCredits,
  listUsage,
  readMemberUsage,
  readTeamDays,
];
