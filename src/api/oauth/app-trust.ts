import { Fault } from '@errand/base/fault.ts';
import { findTeamOf } from '../../store/accounts/teams.ts';
import type { Context } from '../contract/operation.ts';

/**
 * Throws 403 unless the caller may create an application with this trust: only managers of a team for the team, and only the
 * operator for everyone (docs/reference/wire-format.md#applications).
 */
export async function checkMayTrust(trusted: 'team' | 'public' | null, { principal, read }: Context): Promise<void> {
  if (trusted === null || principal.via.kind === 'operator') return;
  if (trusted === 'public') {
    throw new Fault('permission_denied', 'trusted: only the operator can make an application trusted by everyone.');
  }
  const team = await read(findTeamOf, principal.accountId);
  if (team === null || team.role === 'member') {
    throw new Fault('permission_denied', "trusted: only a team's owner and admins can make an application trusted by the team.");
  }
}
