import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { decideAdmission } from '../../../rules/accounts/sign-in-policy.ts';
import type { ProvenIdentity } from '../../../sso/oidc-provider.ts';
import type { SsoParts } from '../../../sso/sso-parts.ts';
import { admitIdentity, isIdentityKnown, linkIdentity } from '../../../store/accounts/identities.ts';
import { readNext } from '../session/next-page.ts';
import type { PageHandler, PageRequest } from '../session/page-request.ts';
import { redirect } from '../layout/page-layout.ts';
import { describeVisit, type SessionService, type Visitor } from '../session/session-service.ts';
import { finishFirstStep } from './second-step.ts';
import { loopbackHost } from './set-up-page.ts';
import { answerSignIn, disabledTrouble, type SignInTrouble } from './sign-in-page.ts';
import { actorOfVisitor } from '../session/signed-in-page.ts';
import type { SsoGateway } from './sso-gateway.ts';
import type { SsoTicket } from './sso-ticket.ts';
import { describeRefusal, foreignAnswer } from './sso-refusals.ts';
import type { WebAnswer, PageParts, WebRequest } from '../../request/web-request.ts';

type Settings = SsoParts['settings'];

/** The account for an identity from the provider, or why there is none. */
async function admit(
  { database, clock, log }: PageParts,
  settings: Settings,
  { issuer, subject, claims }: ProvenIdentity,
  visit: Record<string, string>,
): Promise<{ accountId: string } | { trouble: SignInTrouble }> {
  const { name, canSignUp, team } = settings;
  const isKnown = await database.run(isIdentityKnown, { issuer, subject });
  const verdict = decideAdmission(claims, settings, isKnown);
  if ('refusal' in verdict) return { trouble: describeRefusal(verdict.refusal, verdict.email, name) };
  const { email } = verdict;
  const now = clock.now();
  const newcomer = { canSignUp, team, newAccountId: newId(now) };
  const admission = await database.run(admitIdentity, { issuer, subject, email, ...newcomer, visit, now });
  if ('refusal' in admission) return { trouble: describeRefusal(admission.refusal, email, name) };
  const { accountId, teamProblem: reason } = admission;
  if (!admission.isActive) return { trouble: disabledTrouble };
  if (reason !== null)
    log.warn({ account_id: accountId, reason, team }, 'a new account did not join the team of ERRAND_OIDC_TEAM');
  return { accountId };
}

/** Links an identity to the signed-in account; null on success, otherwise the reason. */
async function link(
  { database, clock }: PageParts,
  settings: Settings,
  { issuer, subject, claims }: ProvenIdentity,
  visitor: Visitor,
): Promise<SignInTrouble | null> {
  // A user signed in at both places needs no verified email, but must be allowed to sign in.
  const verdict = decideAdmission(claims, settings, true);
  if ('refusal' in verdict) return describeRefusal(verdict.refusal, verdict.email, settings.name);
  const { accountId } = visitor;
  const by = { actor: actorOfVisitor(visitor), now: clock.now() };
  try {
    await database.run(linkIdentity, { accountId, issuer, subject, email: verdict.email, ...by });
    return null;
  } catch (error) {
    if (error instanceof Fault && error.status < 500) {
      const { message, status } = error;
      return { problem: ({ sso }) => sso.notLinked(message), status };
    }
    throw error;
  }
}

/**
 * Where to redirect before a sign-in on a machine with several names: it has to start under the name that the callback uses, because
 * browsers keep cookies per name. Null if it already does. Redirects only once, because a proxy may rewrite the name.
 */
function findHome({ headers, query, path }: WebRequest, publicUrl: string): string | null {
  const [host = '', home] = [headers.host, new URL(publicUrl)];
  const isElsewhere = query.home !== undefined || !loopbackHost.test(host) || !loopbackHost.test(home.host);
  if (isElsewhere || host.replace(/:\d+$/, '') === home.hostname) return null;
  return `${publicUrl}${path}?${new URLSearchParams({ home: '1', next: readNext(query.next) }).toString()}`;
}

/** Sign-in with an OpenID Connect provider: the redirect and the callback. */
export function buildSso(
  parts: PageParts,
  sessions: SessionService,
  sso: SsoGateway,
): { begin: PageHandler; finish: PageHandler } {
  const refuse = (request: PageRequest, next: string, trouble: SignInTrouble, setCookie: string[] = []): Promise<WebAnswer> =>
    answerSignIn(parts, sessions, { request, next, trouble, setCookie });
  const finishLink = async (
    request: PageRequest,
    { next, linkSessionId }: SsoTicket,
    identity: ProvenIdentity,
    used: string[],
  ) => {
    // Checked again, because the user may have signed out in the meantime.
    const visitor = await sessions.find(request);
    const isSame = visitor !== null && visitor.sessionId === linkSessionId;
    const trouble = isSame ? await link(parts, sso.open().settings, identity, visitor) : foreignAnswer;
    return trouble ? refuse(request, next, trouble, used) : redirect(next, { 'set-cookie': used });
  };
  return {
    async begin(request) {
      sso.open();
      const next = readNext(request.query.next);
      if (request.visitor) return redirect(next);
      const home = findHome(request, parts.publicUrl());
      if (home !== null) return redirect(home);
      const asked = await sso.ask({ next, linkSessionId: null });
      if ('trouble' in asked) return refuse(request, next, asked.trouble);
      return redirect(asked.location, { 'set-cookie': asked.setCookie });
    },
    async finish(request) {
      const ticket = sso.readTicket(request);
      if (ticket === null) return refuse(request, '/', foreignAnswer);
      const used = [sessions.jar.remove('errand_sso')];
      const received = await sso.receive(ticket, request);
      if ('trouble' in received) return refuse(request, ticket.next, received.trouble, used);
      if (ticket.linkSessionId !== null) return finishLink(request, ticket, received, used);
      const admitted = await admit(parts, sso.open().settings, received, describeVisit(request));
      if ('trouble' in admitted) return refuse(request, ticket.next, admitted.trouble, used);
      return finishFirstStep(parts, sessions, request, { accountId: admitted.accountId, next: ticket.next, setCookie: used });
    },
  };
}
