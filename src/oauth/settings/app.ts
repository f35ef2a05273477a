import type { Fault } from '../../base/fault.ts';
import { makeAppSecret } from '../../store/new-app-secret.ts';
import { appNotFound, deleteApp, findApp, type OauthApp, updateApp } from '../../store/oauth-apps.ts';
import { type AppSecret, createAppSecret, listAppSecrets, revokeAppSecret } from '../../store/oauth-secrets.ts';
import { html, type Html } from '../html.ts';
import { redirect } from '../page.ts';
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
import type { WebParts, WebRequest } from '../web-request.ts';
import { readAppForm, renderAppFields } from './app-form.ts';
import { mayTrustForTeam } from './apps.ts';

function pathOf({ clientId }: Pick<OauthApp, 'clientId'>): string {
  return `/settings/app?client_id=${clientId}`;
}

function renderSecrets(visitor: Visitor, app: OauthApp, secrets: readonly AppSecret[]): Html {
  if (app.isPublic) return html`<p>It is a public client and has none.</p>`;
  const path = pathOf(app);
  const rows = secrets.map(({ id, tail, createdAtMs }) => {
    const button = renderButton(visitor, path, { action: 'revoke', id, name: 'Revoke', label: `Revoke the secret …${tail}` });
    return html`<tr><td><code>…${tail}</code></td><td>${renderTime(createdAtMs)}</td><td>${button}</td></tr>`;
  });
  const table = html`<table><thead><tr><th>Secret</th><th>Created</th><td></td></tr></thead><tbody>${rows}</tbody></table>`;
  return html`${secrets.length === 0 ? html`<p class="soft">It has no secret.</p>` : table}
${beginForm(visitor, path, 'add')}<div class="row"><button class="plain">New secret</button><span class="hint">up to five</span></div></form>`;
}

function renderApp(visitor: Visitor, app: OauthApp, secrets: readonly AppSecret[], mayTrust: boolean): Html {
  const path = pathOf(app);
  return html`<p>Client id <code>${app.clientId}</code>. <a href="/settings/apps">All applications</a></p>
<h2>Secrets</h2><div class="card">${renderSecrets(visitor, app, secrets)}</div>
<h2>Settings</h2><div class="card">${beginForm(visitor, path, 'change')}${renderAppFields(app, mayTrust)}
<p class="hint">When it may do more than before, its users have to connect it again.</p><div class="row"><button>Save</button></div></form></div>
<h2>Delete</h2><div class="card"><p>Everybody who has connected it is disconnected at once.</p>${beginForm(visitor, path, 'delete')}<button class="bad">Delete ${app.name}</button></form></div>`;
}

/** One application of the account. */
export function buildAppPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const { database, clock } = parts;
  const find = async ({ accountId }: Visitor, { query }: WebRequest): Promise<OauthApp> => {
    const app = query.client_id === undefined ? null : await database.run(findApp, query.client_id);
    const missing: Fault = appNotFound();
    if (app?.accountId !== accountId) throw missing;
    return app;
  };
  /** An action on an application that the visitor owns. */
  const own = (
    act: (app: OauthApp, by: { actor: string; now: number }, given: WebRequest, visitor: Visitor) => ReturnType<Action>,
  ): Action => {
    return async (visitor, request) =>
      act(await find(visitor, request), { actor: actorOfVisitor(visitor), now: clock.now() }, request, visitor);
  };
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, request, notice) => {
      const app = await find(visitor, request);
      const [secrets, mayTrust] = await Promise.all([database.run(listAppSecrets, app), mayTrustForTeam(database, visitor)]);
      return answerSettings(visitor, '/settings/apps', {
        title: app.name,
        notice,
        body: renderApp(visitor, app, secrets, mayTrust),
      });
    },
    {
      change: own(async (app, by, { fields }, visitor) => {
        const change = readAppForm(fields, app, await mayTrustForTeam(database, visitor));
        await database.run(updateApp, { accountId: app.accountId, clientId: app.clientId, change, ...by });
        return { done: 'Saved.' };
      }),
      add: own(async ({ accountId, clientId }, { actor, now }) => {
        const { text, stored } = makeAppSecret(now);
        await database.run(createAppSecret, { accountId, clientId, secret: stored, actor });
        return { secret: text, about: 'This is the new secret.' };
      }),
      revoke: own(async ({ accountId, clientId }, by, { fields }) => {
        await database.run(revokeAppSecret, { accountId, clientId, secretId: fields.id ?? '', ...by });
        return { done: 'The secret is revoked.' };
      }),
      delete: own(async ({ accountId, clientId }, by) => {
        await database.run(deleteApp, { accountId, clientId, ...by });
        return redirect('/settings/apps');
      }),
    },
  );
}
