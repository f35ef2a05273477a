import { type ConnectedApp, disconnectApp, listConnectedApps } from '../../store/oauth-grants.ts';
import { renderPowers } from '../consent.ts';
import { html, type Html } from '../html.ts';
import type { SessionDesk, Visitor } from '../session-desk.ts';
import { type Action, actorOfVisitor, answerSettings, beginForm, buildSettingsPage, type SettingsPage } from '../signed-in.ts';
import { renderTime } from '../time.ts';
import type { WebParts } from '../web-request.ts';

const path = '/settings/connections';

function renderApp(visitor: Visitor, { clientId, name, kind, scopes, connectedAtMs }: ConnectedApp): Html {
  return html`<section class="card"><h2>${name}</h2><p class="soft small">Connected ${renderTime(connectedAtMs)}. It may:</p>
${renderPowers(kind, scopes)}${beginForm(visitor, path, 'disconnect')}<input type="hidden" name="id" value="${clientId}">
<button class="bad" aria-label="Disconnect ${name}">Disconnect</button></form></section>`;
}

/** Applications that may act for the account, and how to end that. */
export function buildConnectionsPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const { database, clock } = parts;
  const disconnect: Action = async (visitor, { fields }) => {
    const change = { accountId: visitor.accountId, clientId: fields.id ?? '', actor: actorOfVisitor(visitor), now: clock.now() };
    const wasConnected = await database.run(disconnectApp, change);
    return wasConnected ? { done: 'The application is disconnected.' } : { problem: 'That application is not connected.' };
  };
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, _request, notice) => {
      const apps = await database.run(listConnectedApps, { accountId: visitor.accountId, now: clock.now() });
      const list = apps.length === 0 ? html`<p>No application is connected.</p>` : apps.map((app) => renderApp(visitor, app));
      const body = html`<p class="soft">Applications that you have allowed to act for you.</p>${list}`;
      return answerSettings(visitor, path, { title: 'Connected apps', notice, body });
    },
    { disconnect },
  );
}
