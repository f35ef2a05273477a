import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { findAccount } from '../../../store/accounts/accounts.ts';
import { findTeam, findTeamOf, teamNotFound } from '../../../store/accounts/teams.ts';
import { optional } from '../../contract/fields.ts';
import type { Context } from '../../contract/operation.ts';

/** Selects a team: users have one, the operator can name any. */
export const teamReference = optional(z.string()).meta({
  description: "Id or name of the team. Default: the account's own team, the only one users can name.",
});

/** The caller who changes a team: an account by its role, or the operator. */
export function actorIdOf({ principal }: Context): string | null {
  return principal.via.kind === 'operator' ? null : principal.accountId;
}

/** The selected team; 404 if the caller is not in it. */
export async function readTeamId(reference: string | undefined, context: Context): Promise<string> {
  const { principal, read } = context;
  if (reference !== undefined && actorIdOf(context) === null) return (await read(findTeam, reference)).id;
  const own = await read(findTeamOf, principal.accountId);
  if (!own || (reference !== undefined && reference !== own.id && reference !== own.name)) throw teamNotFound();
  return own.id;
}

/** The caller who changes a team, and the time. */
export async function readTeamChange(reference: string | undefined, context: Context) {
  const { principal, now } = context;
  return { teamId: await readTeamId(reference, context), actorId: actorIdOf(context), actor: actorOf(principal), now };
}

/** The selected member, by id or, for the operator, by address. */
export async function readMemberId(reference: string, context: Context): Promise<string> {
  // No id and no address has this character, and PostgreSQL stores no text with it.
  if (reference.includes('\0')) throw new Fault('not_found', 'member not found');
  if (actorIdOf(context) !== null) return reference.toWellFormed();
  const account = await context.read(findAccount, reference);
  if (!account) throw new Fault('not_found', 'member not found');
  return account.accountId;
}
