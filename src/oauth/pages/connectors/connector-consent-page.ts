import { listConnectedApps } from '../../../store/oauth/oauth-grants.ts';
import { findApp } from '../../../store/oauth/oauth-apps.ts';
import { setGrantedConnectors } from '../../../store/oauth/granted-connectors.ts';
import { findChoice, readChoice, renderChoice } from './connector-choice.ts';
import { html } from '../layout/html.ts';
import { PageFault } from '../layout/page-fault.ts';
import type { Visitor } from '../session/session-service.ts';
import {
  type Action,
  actorOfVisitor,
  answerSignedIn,
  beginForm,
  buildSignedInPage,
  type SignedInPage,
} from '../session/signed-in-page.ts';
import type { PageParts } from '../../request/web-request.ts';

const path = '/oauth-apps/connector-consent';

/** The page that changes which connectors a connected app may use (docs/reference/wire-format.md#applications). */
export function buildConnectorConsentPage(parts: PageParts): SignedInPage {
  const { database, clock } = parts;
  const find = async ({ accountId }: Visitor, clientId: string) => {
    const connected = await database.run(listConnectedApps, { accountId, now: clock.now() });
    const grant = connected.find((each) => each.clientId === clientId);
    const app = grant && (await database.run(findApp, clientId));
    if (!app) throw new PageFault('not_found', ({ connectors }) => connectors.notConnected);
    return { app, choice: await findChoice(parts, accountId, app, grant.scopes) };
  };
  const choose: Action = async (visitor, { fields }) => {
    const { app, choice } = await find(visitor, fields.client_id ?? '');
    if (!choice) return { problem: ({ connectors }) => connectors.noQuestionOf(app.name) };
    await database.run(setGrantedConnectors, {
      accountId: visitor.accountId,
      clientId: app.clientId,
      connectors: readChoice(choice, fields),
      appName: app.name,
      actor: actorOfVisitor(visitor),
      now: clock.now(),
    });
    return { done: ({ connectors }) => connectors.saved(app.name) };
  };
  return buildSignedInPage(
    parts,
    async (visitor, { query, fields, texts }, notice) => {
      const words = texts.connectors;
      const clientId = fields.client_id ?? query.client_id ?? '';
      const { app, choice } = await find(visitor, clientId);
      const form = choice
        ? html`${beginForm(visitor, path, 'choose')}<input type="hidden" name="client_id" value="${clientId}">${renderChoice(texts, choice)}<div class="row"><button>${words.save}</button></div></form>`
        : html`<p>${words.noQuestion}</p>`;
      const body = html`<div class="card"><p>${words.connected(html`<strong>${app.name}</strong>`)}</p>${form}</div>`;
      return answerSignedIn(visitor, { texts, title: words.title(app.name), notice, body });
    },
    { choose },
  );
}
