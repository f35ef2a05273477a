import { digestSecret } from '../../base/secret.ts';
import { acceptInvitation } from '../../store/team-membership.ts';
import { html } from '../html.ts';
import { redirect } from '../page.ts';
import type { SessionDesk } from '../session-desk.ts';
import { actorOfVisitor, answerSettings, beginForm, buildSettingsPage, type SettingsPage } from '../signed-in.ts';
import type { WebParts } from '../web-request.ts';

/** Where an invitation leads. Opening it does nothing yet: programs that look at links in mails must not use it up. */
export function buildTeamAcceptPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const { database, clock } = parts;
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, { path, query, fields }, notice) => {
      const token = query.token ?? fields.token ?? '';
      const body = html`<div class="card"><p>You are signed in as ${visitor.email}; the invitation works for the address that it was made for.</p>
${beginForm(visitor, path, 'accept')}<input type="hidden" name="token" value="${token}"><div class="row"><button>Join the team</button></div></form></div>`;
      return answerSettings(visitor, '/settings/team', { title: 'Join a team', notice, body });
    },
    {
      accept: async (visitor, { fields }) => {
        const digest = digestSecret(fields.token ?? '');
        const given = { digest, accountId: visitor.accountId, actor: actorOfVisitor(visitor), now: clock.now() };
        await database.run(acceptInvitation, given);
        return redirect('/settings/team');
      },
    },
  );
}
