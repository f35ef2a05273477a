import { readEmail } from '../../api/email-field.ts';
import { readName } from '../../api/name-field.ts';
import { invalidField } from '../../base/fault.ts';
import { newId, randomBase62 } from '../../base/ids.ts';
import { digestSecret } from '../../base/secret.ts';
import { grantedRoles, type GrantedRole, type TeamRole } from '../../rules/team-role.ts';
import { changeRole, inviteMember, removeMember } from '../../store/team-membership.ts';
import { createTeam, findTeamOf, listTeamMembers, type Team, type TeamMember } from '../../store/teams.ts';
import { html, type Html } from '../html.ts';
import type { SessionDesk, Visitor } from '../session-desk.ts';
import {
  type Action,
  actorOfVisitor,
  answerSettings,
  beginForm,
  buildSettingsPage,
  renderButton,
  type SettingsPage,
} from '../signed-in.ts';
import { renderTime } from '../time.ts';
import type { WebParts } from '../web-request.ts';

const path = '/settings/team';
type OwnTeam = Team & { role: TeamRole };

function readRole(role: string | undefined): GrantedRole {
  const known = grantedRoles.find((granted) => granted === role);
  if (!known) throw invalidField('role', `must be one of ${grantedRoles.join(', ')}`);
  return known;
}

function renderMember(visitor: Visitor, team: OwnTeam, { accountId, email, role, joinedAtMs }: TeamMember): Html {
  const isSelf = accountId === visitor.accountId;
  const isFixed = role === 'owner' || (team.role === 'member' && !isSelf);
  const other = role === 'admin' ? 'member' : 'admin';
  const turn = { action: `make-${other}`, id: accountId, name: `Make ${other}`, label: `Make ${email} ${other}` };
  const leave = isSelf
    ? { action: 'remove', id: accountId, name: 'Leave', label: 'Leave the team' }
    : { action: 'remove', id: accountId, name: 'Remove', label: `Remove ${email}` };
  const buttons =
    !isFixed && html`${team.role !== 'member' && renderButton(visitor, path, turn)} ${renderButton(visitor, path, leave)}`;
  return html`<tr><td>${email}${isSelf && ' (you)'}</td><td>${role}</td><td>${renderTime(joinedAtMs)}</td><td>${buttons}</td></tr>`;
}

function renderInvitation(visitor: Visitor): Html {
  return html`<h2>Invite somebody</h2><div class="card">${beginForm(visitor, path, 'invite')}
<label for="email">E-mail address <span class="hint">of an account of this service</span></label><input id="email" name="email" type="email" required>
<label for="role">Role</label><select id="role" name="role"><option value="member">Member: uses what the team shares</option><option value="admin">Admin: also invites and removes people</option></select>
<div class="row"><button>Make invitation</button></div></form></div>`;
}

function renderTeam(visitor: Visitor, team: OwnTeam, members: readonly TeamMember[]): Html {
  const rows = members.map((member) => renderMember(visitor, team, member));
  return html`<p>You are <strong>${team.role}</strong> of <strong>${team.name}</strong>. Its members can see tasks that are shared with the team.</p>
<div class="card"><table><thead><tr><th>Member</th><th>Role</th><th>Since</th><td></td></tr></thead><tbody>${rows}</tbody></table></div>
${team.role !== 'member' && renderInvitation(visitor)}`;
}

function renderNoTeam(visitor: Visitor): Html {
  return html`<p>You are in no team. If you were invited, open the address in your invitation.</p>
<h2>New team</h2><div class="card">${beginForm(visitor, path, 'create')}<label for="name">Name</label><input id="name" name="name" required maxlength="100">
<div class="row"><button>Create team</button></div></form></div>`;
}

function buildActions({ database, clock, publicUrl }: WebParts): Readonly<Record<string, Action>> {
  /** The visitor's team and who changes it; whether that is allowed, the store knows. */
  const changeBy = async (visitor: Visitor) => {
    const team = await database.run(findTeamOf, visitor.accountId);
    return { teamId: team?.id ?? '', actorId: visitor.accountId, actor: actorOfVisitor(visitor), now: clock.now() };
  };
  const makeRole = (role: GrantedRole): Action => {
    return async (visitor, { fields }) => {
      await database.run(changeRole, { ...(await changeBy(visitor)), accountId: fields.id ?? '', role });
      return { done: `The role is ${role} now.` };
    };
  };
  return {
    create: async (visitor, { fields }) => {
      const now = clock.now();
      const team = { teamId: newId(now), name: readName(fields.name ?? ''), ownerId: visitor.accountId };
      await database.run(createTeam, { ...team, now, actor: actorOfVisitor(visitor) });
      return { done: 'The team is there.' };
    },
    invite: async (visitor, { fields }) => {
      const [email, role, token] = [readEmail(fields.email ?? ''), readRole(fields.role), randomBase62(43)];
      await database.run(inviteMember, { ...(await changeBy(visitor)), email, role, digest: digestSecret(token) });
      const about = `Send this address to ${email}; it works once, and for seven days.`;
      return { secret: `${publicUrl()}/team/accept?token=${token}`, about };
    },
    remove: async (visitor, { fields }) => {
      await database.run(removeMember, { ...(await changeBy(visitor)), accountId: fields.id ?? '' });
      return { done: 'Done.' };
    },
    'make-admin': makeRole('admin'),
    'make-member': makeRole('member'),
  };
}

/** The team of the account: who is in it, and who is asked to come. */
export function buildTeamPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const { database } = parts;
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, _request, notice) => {
      const team = await database.run(findTeamOf, visitor.accountId);
      if (!team) return answerSettings(visitor, path, { title: 'Team', notice, body: renderNoTeam(visitor) });
      const members = await database.run(listTeamMembers, { teamId: team.id, actorId: visitor.accountId });
      return answerSettings(visitor, path, { title: 'Team', notice, body: renderTeam(visitor, team, members) });
    },
    buildActions(parts),
  );
}
