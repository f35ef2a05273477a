import { Fault } from '../../base/fault.ts';
import { actorOf } from '../../rules/security-event.ts';
import { findAccount } from '../../store/accounts.ts';
import { findTeam } from '../../store/teams.ts';
import type { Context } from '../operation.ts';

/** What the operator's changes of a member have in common; both are named by id, or by name and address. */
export async function readTarget({ team, member }: { team: string; member: string }, { principal, now, read }: Context) {
  const [{ id: teamId }, account] = await Promise.all([read(findTeam, team), read(findAccount, member)]);
  if (!account) throw new Fault('not_found', 'member not found');
  return { teamId, accountId: account.accountId, actorId: null, actor: actorOf(principal), now };
}
