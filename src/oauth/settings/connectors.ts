import { Fault } from '../../base/fault.ts';
import { type Connector, getConnector, listConnectors } from '../../store/connectors.ts';
import { html, type Html } from '../html.ts';
import { signInPath } from '../next-page.ts';
import { redirect } from '../page.ts';
import type { SessionDesk, Visitor } from '../session-desk.ts';
import { type Action, answerSettings, beginForm, buildSettingsPage, type Notice, type SettingsPage } from '../signed-in.ts';
import type { Handler, WebParts, WebRequest } from '../web-request.ts';

const path = '/settings/connectors';
const connectorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function describe({ signIn, problem, tools }: Connector): string {
  if (signIn === 'needed') return 'You are not signed in there.';
  return problem === null ? `Connected, ${tools.length} tools.` : `Cannot be used: ${problem}`;
}

function renderConnector(visitor: Visitor, connector: Connector): Html {
  const { id, name, url, signIn } = connector;
  const words = signIn === 'needed' ? 'Sign in' : 'Sign in again';
  const form =
    signIn !== null &&
    html`${beginForm(visitor, path, 'sign-in')}<input type="hidden" name="id" value="${id}"><button aria-label="${words} at ${name}">${words}</button></form>`;
  return html`<section class="card"><h2>${name}</h2><p class="soft small">${new URL(url).origin}</p><p>${describe(connector)}</p>${form}</section>`;
}

/** Leads to the server with a link, so that people see where they go before they are there. */
async function showWay(parts: WebParts, visitor: Visitor, { fields }: WebRequest) {
  const connectorId = fields.id ?? '';
  if (!connectorForm.test(connectorId)) throw new Fault('invalid_argument', 'The form names no connector.');
  const key = { accountId: visitor.accountId, connectorId };
  const { url } = await parts.database.run(getConnector, key);
  const address = await parts.connectors.beginSignIn(key, `${parts.publicUrl()}${path}/callback`);
  const body = html`<div class="card"><p>You sign in at <strong>${new URL(address).host}</strong>, and the server <strong>${new URL(url).host}</strong> gets what you allow there. Go on only if you know both.</p>
<p><a href="${address}" rel="noreferrer">Go on to ${new URL(address).host}</a></p></div>`;
  return answerSettings(visitor, path, { title: 'Sign in at a connector', notice: null, body });
}

/** The MCP servers of the account, and signing in at those that want it. */
export function buildConnectorsPage(parts: WebParts, desk: SessionDesk): SettingsPage {
  const signIn: Action = (visitor, request) => showWay(parts, visitor, request);
  return buildSettingsPage(
    parts,
    desk,
    async (visitor, { query }, notice) => {
      const connectors = await parts.database.run(listConnectors, visitor.accountId);
      const done: Notice = query.done === 'true' ? { done: 'You are signed in.' } : null;
      const list =
        connectors.length === 0
          ? html`<p>No server is connected.</p>`
          : connectors.map((connector) => renderConnector(visitor, connector));
      const body = html`<p class="soft">Servers whose tools your tasks can use.</p>${list}`;
      return answerSettings(visitor, path, { title: 'Connectors', notice: notice ?? done, body });
    },
    { 'sign-in': signIn },
  );
}

/**
 * Where servers send the browser back to. Only the account that began a sign-in can end it: whoever is led here with the answer
 * to somebody else's is told that it was not begun here.
 */
export function buildSignInReturn(parts: WebParts, desk: SessionDesk): Handler {
  return async (request) => {
    const visitor = await desk.find(request);
    if (!visitor) return redirect(signInPath(`${request.path}?${request.queryText}`));
    const { state = '', code = '', iss, error } = request.query;
    const connectorId = state.split('.', 1)[0] ?? '';
    if (error !== undefined) throw new Fault('failed_precondition', 'The server did not sign you in; nothing has changed.');
    if (!connectorForm.test(connectorId) || code === '') throw new Fault('invalid_argument', 'This is no answer of a server.');
    await parts.connectors.finishSignIn({ accountId: visitor.accountId, connectorId }, { state, code, iss });
    return redirect(`${path}?done=true`);
  };
}
