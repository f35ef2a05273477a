import { newId } from '../../base/ids.ts';
import { makeAppSecret } from '../../store/new-app-secret.ts';
import { createApp, listApps, type OauthApp } from '../../store/oauth-apps.ts';
import { findTeamOf } from '../../store/teams.ts';
import type { Database } from '../../store/db/database.ts';
import { html, type Html } from '../html.ts';
import type { SessionDesk, Visitor } from '../session-desk.ts';
import { type Action, actorOfVisitor, answerSettings, beginForm, buildSettingsPage, type SettingsPage } from '../signed-in.ts';
import type { WebParts } from '../web-request.ts';
import { readAppForm, renderAppFields } from './app-form.ts';

const path = '/settings/apps';

/** Owners and admins of a team may make an application trusted by it. */
export async function mayTrustForTeam(database: Database, { accountId }: Pick<Visitor, 'accountId'>): Promise<boolean> {
  const team = await database.run(findTeamOf, accountId);
  return team !== null && team.role !== 'member';
}

function renderApps(apps: readonly OauthApp[]): Html {
  if (apps.length === 0) return html`<p class="soft">You have registered no application.</p>`;
  const rows = apps.map(
    ({ clientId, name, scopes }) =>
      html`<tr><td><a href="/settings/app?client_id=${clientId}">${name}</a></td><td><code>${clientId}</code></td><td>${scopes.join(', ')}</td></tr>`,
  );
  return html`<table><thead><tr><th>Name</th><th>Client id</th><th>Scopes</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Applications that the account has registered. */
export function buildAppsPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const { database, clock } = parts;
  const create: Action = async (visitor, { fields }) => {
    const now = clock.now();
    const isPublic = fields.public_client === 'on';
    const read = readAppForm(fields, null, await mayTrustForTeam(database, visitor));
    const secret = isPublic ? null : makeAppSecret(now);
    const owner = { accountId: visitor.accountId, clientId: newId(now), createdAtMs: now, isPublic };
    const actor = actorOfVisitor(visitor);
    const app = await database.run(createApp, { app: { ...owner, ...read }, secret: secret?.stored ?? null, actor });
    const about = `“${app.name}” has the client id ${app.clientId}`;
    return secret ? { secret: secret.text, about: `${about}, and this secret.` } : { done: `${about}, and no secret.` };
  };
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, _request, notice) => {
      const [apps, mayTrust] = await Promise.all([database.run(listApps, visitor.accountId), mayTrustForTeam(database, visitor)]);
      const body = html`<p class="soft">Applications of yours that act for people who connect them.</p>
<div class="card">${renderApps(apps)}</div><h2>New application</h2><div class="card">${beginForm(visitor, path, 'create')}
${renderAppFields(null, mayTrust)}<fieldset><label><input type="checkbox" name="public_client" value="on"><span>It cannot keep a secret<br><span class="hint">Such as a program on a device or in a browser.</span></span></label></fieldset>
<div class="row"><button>Register</button></div></form></div>`;
      return answerSettings(visitor, path, { title: 'Your apps', notice, body });
    },
    { create },
  );
}
