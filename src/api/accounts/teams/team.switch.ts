import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isOperator } from '../../../rules/accounts/access.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { findAccount } from '../../../store/accounts/accounts.ts';
import { listTeamsOf, switchTeam } from '../../../store/accounts/current-team.ts';
import { optional, requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { findOwnTeam, nameTasksBefore } from './team-target.ts';

export const teamSwitch = defineOperation('POST', 'team.switch', {
  summary: 'Makes one of the teams of an account its current one.',
  details:
    'What the account makes from now on belongs to that team; what it has made before stays with the team in which it was made. Applies to all sessions, API keys, and applications of the account.',
  access: 'own',
  request: z.object({
    team: requiredText('Id or name of one of the teams of the account.'),
    account: optional(z.string()).meta({
      description: 'For the operator: e-mail address or id of an account. Default: the current account.',
    }),
  }),
  response: z.object({ account_id: z.string(), team_id: z.string(), team: z.string() }),
  async handle(input, context) {
    const { principal, now, read, write } = context;
    const account = await read(findAccount, (isOperator(principal) ? input.account : undefined) ?? principal.accountId);
    if (!account) throw new Fault('not_found', 'account not found');
    const { accountId } = account;
    const teams = await read(listTeamsOf, accountId);
    const { id: teamId, name, isCurrent } = findOwnTeam(teams, input.team);
    const left = teams.find((team) => team.isCurrent)?.id ?? '';
    if (!isCurrent) await nameTasksBefore(accountId, left, context);
    await write(switchTeam, { accountId, teamId, actor: actorOf(principal), now });
    return { account_id: accountId, team_id: teamId, team: name };
  },
});
