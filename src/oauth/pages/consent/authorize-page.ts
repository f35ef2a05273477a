import { newId, randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { type AuthorizeRequest, checkAuthorization, oauthLifetimes } from '../../../rules/oauth/oauth-policy.ts';
import { formatCode } from '../../../rules/oauth/oauth-token.ts';
import { addAnswer } from '../../../rules/oauth/redirect-uri.ts';
import { findApp, type OauthApp } from '../../../store/oauth/oauth-apps.ts';
import { createGrant } from '../../../store/oauth/oauth-grants.ts';
import { mayUseApp } from '../../../store/oauth/oauth-audience.ts';
import { findChoice, readChoice } from '../connectors/connector-choice.ts';
import { askConsent, formTargetOf, renderNotForYou } from './consent-page.ts';
import { checkForm } from '../session/form-guard.ts';
import { signInPath } from '../session/next-page.ts';
import type { PageHandler } from '../session/page-request.ts';
import { answerProblem, pageHeaders, redirect } from '../layout/page-layout.ts';
import type { Visitor } from '../session/session-service.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { Fields, WebAnswer, PageParts } from '../../request/web-request.ts';

/** Redirects back to the app, with `iss` identifying this server (RFC 9207). */
function answerApp(
  { publicUrl }: PageParts,
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>,
): WebAnswer {
  const location = addAnswer(redirectUri, { ...answer, iss: publicUrl() });
  return { status: 303, headers: { ...pageHeaders({ formTarget: formTargetOf(redirectUri) }), location }, body: '' };
}

interface Asked {
  app: OauthApp;
  request: AuthorizeRequest;
}

type CheckedRequest = Asked | { answer: WebAnswer };

/** An authorization request to show to its user, or the response if it needs no decision. */
async function checkRequest(parts: PageParts, texts: Texts, query: Fields): Promise<CheckedRequest> {
  const app = query.client_id === undefined ? null : await parts.database.run(findApp, query.client_id);
  const verdict = checkAuthorization(query, app, parts.publicUrl());
  if (verdict.kind === 'show') {
    const { brokenLink: title, mistakes } = texts.consent;
    return { answer: answerProblem(texts, { status: 400, title, problem: mistakes[verdict.mistake] }) };
  }
  if (verdict.kind === 'ask' && app) return { app, request: verdict.request };
  if (verdict.kind !== 'answer') throw new Error('a request of no application was to be asked about');
  const { redirectUri, state, problem } = verdict;
  return { answer: answerApp(parts, redirectUri, { error: problem.error, error_description: problem.description, state }) };
}

/** Stores the grant and sends the application its code. */
async function allow(parts: PageParts, { app, request }: Asked, visitor: Visitor, fields: Fields) {
  const { clock, database } = parts;
  const now = clock.now();
  const place = { accountId: visitor.accountId, grantId: newId(now) };
  const code = formatCode(place, app.clientId, randomBase62(43));
  const { redirectUri, challenge, scopes, state } = request;
  const choice = await findChoice(parts, visitor.accountId, app, scopes);
  await database.run(createGrant, {
    ...place,
    clientId: app.clientId,
    scopes,
    connectors: readChoice(choice, fields),
    appRevision: app.revision,
    appName: app.name,
    actor: `session:${visitor.sessionId}`,
    code: { digest: digestSecret(code), redirectUri, challenge },
    now,
    expiresAtMs: now + oauthLifetimes.codeMs,
  });
  return answerApp(parts, redirectUri, { code, state });
}

export interface AuthorizeParts {
  parts: PageParts;
  /** The query of a form, parsed as by the router. */
  readQuery(text: string): Fields;
}

/** `/oauth/authorize`: the question and the decision. */
export function buildAuthorize({ parts, readQuery }: AuthorizeParts): { show: PageHandler; submit: PageHandler } {
  const isForVisitor = (app: OauthApp, { accountId }: Visitor) =>
    parts.database.run(mayUseApp, { accountId, clientId: app.clientId });
  return {
    async show({ path, query, queryText, visitor, texts }) {
      const checked = await checkRequest(parts, texts, query);
      if ('answer' in checked) return checked.answer;
      if (!visitor) return redirect(signInPath(`${path}?${queryText}`));
      const question = { ...checked, texts, visitor, queryText, action: path };
      if (!(await isForVisitor(checked.app, visitor))) return renderNotForYou(question);
      return askConsent({ ...question, choice: await findChoice(parts, visitor.accountId, checked.app, checked.request.scopes) });
    },
    async submit(given) {
      const { visitor, texts } = given;
      if (!visitor) return redirect('/sign-in');
      checkForm(given, visitor.cookie, parts.publicUrl());
      const checked = await checkRequest(parts, texts, readQuery(given.fields.request ?? ''));
      if ('answer' in checked) return checked.answer;
      const { redirectUri, state } = checked.request;
      const isAllowed = given.fields.decision === 'allow' && (await isForVisitor(checked.app, visitor));
      if (isAllowed) return allow(parts, checked, visitor, given.fields);
      return answerApp(parts, redirectUri, { error: 'access_denied', error_description: 'the user denied access', state });
    },
  };
}
