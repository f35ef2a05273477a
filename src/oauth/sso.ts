import { neighbourhoodOf } from '../base/address-neighbourhood.ts';
import { Fault } from '../base/fault.ts';
import { newId } from '../base/ids.ts';
import type { SealedBox } from '../base/sealed-box.ts';
import { judgeAdmission } from '../rules/sign-in-policy.ts';
import { ProviderProblem } from '../sso/provider-problem.ts';
import { newQuestion, Provider, type ProvenIdentity } from '../sso/provider.ts';
import type { SsoParts } from '../sso/sso-parts.ts';
import { takeAttempt } from '../store/attempts.ts';
import { admitIdentity, isIdentityKnown } from '../store/identities.ts';
import { readNext } from './next-page.ts';
import { redirect } from './page.ts';
import { describeVisit, type SessionDesk } from './session-desk.ts';
import { loopbackHost } from './set-up.ts';
import { answerSignIn, type SignInTrouble } from './sign-in-page.ts';
import { callbackPath, openTicket, sealTicket, ticketMs } from './sso-ticket.ts';
import { describeProblem, describeRefusal, foreignAnswer } from './sso-trouble.ts';
import type { Handler, WebAnswer, WebParts, WebRequest } from './web-request.ts';

const addressPace = { count: 200, windowMs: 15 * 60 * 1000 };

/** A provider that can be used, with what belongs to it. */
interface OpenSso {
  sso: SsoParts;
  box: SealedBox;
  provider: Provider;
}

type Outcome = { accountId: string } | { trouble: SignInTrouble };

/** The account of somebody whom the provider has signed in, or why there is none for them. */
async function admit(
  { database, clock }: WebParts,
  { sso }: OpenSso,
  identity: ProvenIdentity,
  visit: Record<string, string>,
): Promise<Outcome> {
  const { issuer, subject, claims } = identity;
  const { name, canSignUp } = sso.settings;
  const isKnown = await database.run(isIdentityKnown, { issuer, subject });
  const verdict = judgeAdmission(claims, sso.settings, isKnown);
  if ('refusal' in verdict) return { trouble: describeRefusal(verdict.refusal, verdict.email, name) };
  const { email } = verdict;
  const now = clock.now();
  const newcomer = { canSignUp, newAccountId: newId(now) };
  const admission = await database.run(admitIdentity, { issuer, subject, email, ...newcomer, visit, now });
  return 'refusal' in admission ? { trouble: describeRefusal(admission.refusal, email, name) } : admission;
}

function openSso({ signIn: { sso }, clock }: WebParts): OpenSso | null {
  if (sso === null || sso.box === null) return null;
  return { sso, box: sso.box, provider: new Provider({ ...sso, clock }) };
}

/** Each answer counts once, at all processes together; null where there is nothing against this one. */
async function findPaceTrouble({ database }: WebParts, state: string, remoteAddress: string): Promise<SignInTrouble | null> {
  const isUsed = (await database.run(takeAttempt, [{ name: `provider answer ${state}`, count: 1, windowMs: ticketMs }])) > 0;
  if (isUsed) return foreignAnswer;
  const waitS = await database.run(takeAttempt, [{ name: `provider from ${neighbourhoodOf(remoteAddress)}`, ...addressPace }]);
  if (waitS === 0) return null;
  const problem = 'There were too many attempts. Wait a while and try again.';
  return { problem, status: 429, headers: { 'retry-after': String(waitS) } };
}

/**
 * This machine has several names, and browsers keep the cookies of each apart: the question has to be asked under the name to
 * which the answer comes back. Null where it is. Said once, for a proxy may change the name on its way.
 */
function findHome({ headers, query, path }: WebRequest, publicUrl: string): string | null {
  const [host = '', home] = [headers.host, new URL(publicUrl)];
  const isElsewhere = query.home !== undefined || !loopbackHost.test(host) || !loopbackHost.test(home.host);
  if (isElsewhere || host.replace(/:\d+$/, '') === home.hostname) return null;
  return `${publicUrl}${path}?${new URLSearchParams({ home: '1', next: readNext(query.next) }).toString()}`;
}

/** Signing in at a provider of OpenID Connect: out to it, and back. */
export function buildSso(parts: WebParts, desk: SessionDesk): { begin: Handler; finish: Handler } {
  const { clock, log, signIn } = parts;
  const opened = openSso(parts);
  const open = (): OpenSso => {
    if (opened) return opened;
    if (signIn.sso === null) throw new Fault('not_found', 'There is nothing at this address.');
    throw new Fault(
      'unavailable',
      'Nobody can sign in this way before ERRAND_SECRET is the same for all processes of this service.',
    );
  };
  const redirectUri = () => parts.publicUrl() + callbackPath;
  const refuse = (request: WebRequest, next: string, trouble: SignInTrouble, setCookie: string[] = []): WebAnswer =>
    answerSignIn(parts, desk, { request, next, trouble, setCookie });
  const explain = (error: unknown, { sso }: OpenSso): SignInTrouble => {
    if (!(error instanceof ProviderProblem)) throw error;
    log.warn({ kind: error.kind, reason: error.message, issuer: sso.settings.issuer }, 'nobody was signed in by the provider');
    return describeProblem(error, sso.settings.name);
  };
  return {
    async begin(request) {
      const way = open();
      const next = readNext(request.query.next);
      if (await desk.find(request)) return redirect(next);
      const home = findHome(request, parts.publicUrl());
      if (home !== null) return redirect(home);
      const question = newQuestion();
      try {
        const location = await way.provider.ask(question, redirectUri());
        const ticket = sealTicket(way.box, { ...question, next, begunAtMs: clock.now() });
        return redirect(location, { 'set-cookie': desk.jar.write('errand_sso', ticket, ticketMs / 1000) });
      } catch (error) {
        return refuse(request, next, explain(error, way));
      }
    },
    async finish(request) {
      const way = open();
      const ticket = openTicket(way.box, desk.jar.read(request.headers.cookie, 'errand_sso'), clock.now());
      // What somebody else's answer brings along must not end a sign-in that is under way here.
      if (ticket === null || request.query.state !== ticket.state) return refuse(request, '/', foreignAnswer);
      const { next } = ticket;
      const used = [desk.jar.remove('errand_sso')];
      const pace = await findPaceTrouble(parts, ticket.state, request.remoteAddress);
      if (pace) return refuse(request, next, pace, used);
      try {
        const identity = await way.provider.hear(ticket, redirectUri(), request.queryText);
        const outcome = await admit(parts, way, identity, describeVisit(request));
        if ('trouble' in outcome) return refuse(request, next, outcome.trouble, used);
        return redirect(next, { 'set-cookie': [...(await desk.begin(request, outcome.accountId)), ...used] });
      } catch (error) {
        return refuse(request, next, explain(error, way), used);
      }
    },
  };
}
