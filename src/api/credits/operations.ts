import type { Operation } from '../contract/operation.ts';
import { creditsGrant } from './credits.grant.ts';
import { usageAvailableCredits } from './usage.availableCredits.ts';
import { usageBreakdown } from './usage.breakdown.ts';
import { usageExternalUsers } from './usage.externalUsers.ts';
import { usageList } from './usage.list.ts';
import { usageTeamLog } from './usage.teamLog.ts';
import { usageTeamStatistic } from './usage.teamStatistic.ts';

export const creditOperations: readonly Operation[] = [
  usageList,
  usageExternalUsers,
  usageAvailableCredits,
  usageTeamStatistic,
  usageTeamLog,
  usageBreakdown,
  creditsGrant,
];
