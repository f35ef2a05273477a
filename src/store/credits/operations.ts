import { changeCredits, findUnsettled, readBalance, settleCredits } from './credit-balances.ts';
import { listUserUsage } from './external-user-usage.ts';
import { findUnfolded, foldCalls } from './model-usage.ts';
import { readMemberUsage, readTeamDays } from './team-usage.ts';
import { readUsageBreakdown } from './usage-breakdown.ts';
import { listUsage } from './usage-ledger.ts';

/** Every operation on credits and usage. */
export const creditOperations = [
  changeCredits,
  findUnsettled,
  readBalance,
  settleCredits,
  listUsage,
  listUserUsage,
  readMemberUsage,
  readTeamDays,
  findUnfolded,
  foldCalls,
  readUsageBreakdown,
];
