import { listIdentities } from '../../../store/accounts/identities.ts';
import { html } from '../layout/html.ts';
import { answerPage } from '../layout/page-layout.ts';
import type { Visitor } from '../session/session-service.ts';
import { type Action, answerSignedIn, beginForm, buildSignedInPage, type SignedInPage } from '../session/signed-in-page.ts';
import type { SsoGateway } from './sso-gateway.ts';
import type { PageParts } from '../../request/web-request.ts';

/** The page on which a signed-in user links an identity provider. */
const linkPath = '/sign-in/link';

/**
 * Starts linking an identity. Nobody can be tricked into linking another person's identity: the flow starts with our own form and ends in
 * the same session. The form redirects by a header, because our content security policy forbids forms to other hosts.
 */
export function buildLinkPage(parts: PageParts, sso: SsoGateway): SignedInPage {
  const begin: Action = async (visitor: Visitor, { texts }) => {
    const asked = await sso.ask({ next: '/settings/sessions', linkSessionId: visitor.sessionId });
    if ('trouble' in asked) return { problem: asked.trouble.problem };
    const { name } = sso.open().settings;
    const body = html`<div class="card"><h1>${texts.sso.on(name)}</h1><p><a class="button wide" href="${asked.location}">${texts.signIn.continueWith(name)}</a></p></div>`;
    return answerPage({
      texts,
      title: texts.sso.on(name),
      body,
      headers: { refresh: `0;url=${asked.location}`, 'set-cookie': asked.setCookie },
    });
  };
  return buildSignedInPage(
    parts,
    async (visitor, { texts }, notice) => {
      const words = texts.sso;
      const { name } = sso.open().settings;
      const identities = await parts.database.run(listIdentities, { accountId: visitor.accountId });
      const known = identities.find(({ issuer }) => issuer === sso.issuer());
      const body = known
        ? html`<div class="card"><p>${words.linked(name, known.email !== null && html`<strong>${known.email}</strong>`)}</p><p class="small"><a href="/settings/sessions">${words.toSettings}</a></p></div>`
        : html`<div class="card"><p>${words.linkLead(name, html`<strong>${visitor.email}</strong>`)}</p>
${beginForm(visitor, linkPath, 'begin')}<div class="row"><button>${words.link(name)}</button></div></form></div>`;
      return answerSignedIn(visitor, { texts, title: words.title(name), notice, body });
    },
    { begin },
  );
}
