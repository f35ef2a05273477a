import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { grantedRoles } from '../../../rules/accounts/team-role.ts';
import { findInvitation } from '../../../store/accounts/team-invitations.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';

export const teamInvitation = defineOperation('POST', 'team.invitation', {
  summary: 'Returns the team an invitation is for, without using the invitation.',
  access: 'browser',
  hasSecret: true,
  request: z.object({ token: requiredText('The token of the invitation.') }),
  response: z.object({
    team: z.object({ id: z.string(), name: z.string() }),
    role: z.enum(grantedRoles),
    expires_at: unixTime,
  }),
  async handle({ token }, { principal, now, read }) {
    const invitation = await read(findInvitation, { digest: digestSecret(token), accountId: principal.accountId, now });
    if (!invitation) throw new Fault('not_found', 'invitation not found; it may have been used, replaced or expired');
    const { teamId, team, role, expiresAtMs } = invitation;
    return { team: { id: teamId, name: team }, role, expires_at: toUnixTime(expiresAtMs) };
  },
});
