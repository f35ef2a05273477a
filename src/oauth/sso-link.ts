import { listIdentities } from '../store/identities.ts';
import { html } from './html.ts';
import { answerPage } from './page.ts';
import type { SessionDesk, Visitor } from './session-desk.ts';
import { type Action, answerSignedIn, beginForm, buildSignedInPage, type SignedInPage } from './signed-in.ts';
import type { SsoDesk } from './sso-desk.ts';
import type { WebParts } from './web-request.ts';

/** Where somebody who is signed in has a provider sign them in from then on. */
export const linkPath = '/sign-in/link';

/**
 * Nobody can be brought to link an identity of somebody else: it begins with a form of ours and ends in the same session. The
 * form leads on by a header, because the policy of our pages lets no form lead to another host.
 */
export function buildLinkPage(parts: WebParts, desk: SessionDesk, sso: SsoDesk): SignedInPage {
  const begin: Action = async (visitor: Visitor) => {
    const asked = await sso.ask({ next: '/settings/sessions', linkSessionId: visitor.sessionId });
    if ('trouble' in asked) return { problem: asked.trouble.problem };
    const { name } = sso.open().settings;
    const body = html`<div class="card"><h1>On to ${name}</h1><p><a class="button wide" href="${asked.location}">Continue with ${name}</a></p></div>`;
    return answerPage({
      title: `On to ${name}`,
      body,
      headers: { refresh: `0;url=${asked.location}`, 'set-cookie': asked.setCookie },
    });
  };
  return buildSignedInPage(
    parts,
    desk,
    async (visitor, _request, notice) => {
      const { name } = sso.open().settings;
      const identities = await parts.database.run(listIdentities, { accountId: visitor.accountId });
      const known = identities.find(({ issuer }) => issuer === sso.issuer());
      const body = known
        ? html`<div class="card"><p>${name} signs you in to this account${known.email !== null && html`, as <strong>${known.email}</strong>`}.</p><p class="small"><a href="/settings/sessions">Back to the settings</a></p></div>`
        : html`<div class="card"><p>From now on ${name} signs you in to the account of <strong>${visitor.email}</strong>, whatever your address there is.</p>
${beginForm(visitor, linkPath, 'begin')}<div class="row"><button>Link with ${name}</button></div></form></div>`;
      return answerSignedIn(visitor, { title: `Signing in with ${name}`, notice, body });
    },
    { begin },
  );
}
