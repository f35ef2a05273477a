import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { isOperator } from '../../../rules/accounts/access.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { findAccount } from '../../../store/accounts/accounts.ts';
import { listTeamsOf, listUnnamedTasks, nameTasks, type OwnTeam } from '../../../store/accounts/current-team.ts';
import { findTeam, teamNotFound } from '../../../store/accounts/teams.ts';
import { optional } from '../../contract/fields.ts';
import type { Context } from '../../contract/operation.ts';

/** Selects a team: users one of their own, the operator any. */
export const teamReference = optional(z.string()).meta({
  description: "Id or name of the team; users can name those that they are in. Default: the account's current team.",
});

/** The caller who changes a team: an account by its role, or the operator. */
export function actorIdOf({ principal }: Context): string | null {
  return isOperator(principal) ? null : principal.accountId;
}

/** The selected team; 404 if the caller is not in it. */
export async function readTeamId(reference: string | undefined, context: Context): Promise<string> {
  const { principal, read } = context;
  if (reference !== undefined && actorIdOf(context) === null) return (await read(findTeam, reference)).id;
  return findOwnTeam(await read(listTeamsOf, principal.accountId), reference).id;
}

/** The team among those of an account: the current one without a reference. */
export function findOwnTeam(teams: readonly OwnTeam[], reference: string | undefined): OwnTeam {
  const isMeant = ({ id, name, isCurrent }: OwnTeam) =>
    reference === undefined ? isCurrent : id === reference || name === reference;
  const [team, other] = teams.filter(isMeant);
  if (!team) throw teamNotFound();
  if (other) throw invalidField('team', 'several teams have this name; use the id of one');
  return team;
}

export type TeamChange = Awaited<ReturnType<typeof readTeamChange>>;

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

/** How many tasks one transaction names: some milliseconds on both databases. */
const step = 500;

/**
 * Names the current team in the tasks of an account that is about to leave it; empty for no team. Not part of the request's write: it
 * changes what no caller can see, and only makes that write short.
 */
export async function nameTasksBefore(accountId: string, teamId: string, { read: run }: Pick<Context, 'read'>): Promise<void> {
  for (let afterId = ''; ; ) {
    const taskIds = await run(listUnnamedTasks, { accountId, afterId, limit: step });
    if (taskIds.length > 0) await run(nameTasks, { accountId, teamId, taskIds });
    if (taskIds.length < step) return;
    afterId = taskIds.at(-1) ?? '';
  }
}
