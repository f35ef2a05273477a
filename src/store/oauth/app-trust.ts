import { Fault } from '@errand/base/fault.ts';
import { readActor } from '../accounts/teams.ts';
import { findRow, type Script } from '../db/store-operation.ts';
import { teamMemberRow } from '../db/shared-rows.ts';

/**
 * Throws 403 unless the account manages a team as its owner or an admin. The account is locked, so that it does not switch before the
 * application is stored.
 *
 * @param teamId the team that the application belongs to; null for the current one of its account, '' for none
 */
export function* checkManagesTeam(accountId: string, teamId: string | null): Script<void> {
  const current = teamId === null ? yield* findRow('team_id', 'team_members', { account_id: accountId }) : undefined;
  const team = current ? teamMemberRow.team_id(current) : teamId;
  const role = team === null ? null : yield* readActor(team, accountId);
  if (role === null || role === 'member') {
    throw new Fault('permission_denied', "trusted: only a team's owner and admins can make an application trusted by the team.");
  }
}
