import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { isOperator } from '../../../rules/accounts/access.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { findAccount } from '../../../store/accounts/accounts.ts';
import { createTeam } from '../../../store/accounts/teams.ts';
import { optional, requiredText } from '../../contract/fields.ts';
import { readName } from '../../contract/name-field.ts';
import { defineOperation } from '../../contract/operation.ts';
import { presentTeam, teamObject } from './team-object.ts';

export const teamCreate = defineOperation('POST', 'team.create', {
  summary: 'Creates a team and its owner.',
  access: 'own',
  request: z.object({
    name: requiredText('At most 100 characters.'),
    owner: optional(z.string()).meta({
      description: 'For the operator: e-mail address or id of an account. Default: the current account.',
    }),
  }),
  response: z.object({ team: teamObject }),
  async handle(input, { principal, now, read, write }) {
    const owner = await read(findAccount, (isOperator(principal) ? input.owner : undefined) ?? principal.accountId);
    if (!owner) throw new Fault('not_found', 'owner: account not found');
    const name = readName(input.name);
    const team = await write(createTeam, {
      teamId: newId(now),
      name,
      ownerId: owner.accountId,
      now,
      actor: actorOf(principal),
    });
    return { team: presentTeam({ ...team, memberCount: 1 }) };
  },
});
