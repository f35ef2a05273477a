import { networkOf } from '@errand/base/net/address-block.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { ProviderProblem } from '../../../sso/provider-problem.ts';
import { withoutSlash } from '../../../sso/provider-document.ts';
import { newQuestion, OidcProvider, type ProvenIdentity } from '../../../sso/oidc-provider.ts';
import type { SsoParts } from '../../../sso/sso-parts.ts';
import { takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import { PageFault } from '../layout/page-fault.ts';
import type { SessionService } from '../session/session-service.ts';
import type { SignInTrouble } from './sign-in-page.ts';
import { callbackPath, openTicket, sealTicket, type SsoTicket, ticketTtlMs } from './sso-ticket.ts';
import { describeProblem, foreignAnswer } from './sso-refusals.ts';
import type { PageParts, WebRequest } from '../../request/web-request.ts';

const addressPace = { count: 200, windowMs: 15 * 60 * 1000 };

/** A usable provider with its settings. */
interface OpenSso {
  settings: SsoParts['settings'];
  box: SealedBox;
  provider: OidcProvider;
}

/** Authenticates a user at the provider through their browser. */
export class SsoGateway {
  readonly #parts: PageParts;
  readonly #sessions: SessionService;
  #opened: OpenSso | null = null;

  constructor(parts: PageParts, sessions: SessionService) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  /** Throws 404 if no provider is configured, and 503 if this process has a different secret than the others. */
  open(): OpenSso {
    const { signIn, clock } = this.#parts;
    const { sso } = signIn;
    if (sso === null) throw new PageFault('not_found', ({ fault }) => fault.nothingHere);
    if (sso.box === null) throw new PageFault('unavailable', (texts) => texts.sso.noSecret);
    return (this.#opened ??= { settings: sso.settings, box: sso.box, provider: new OidcProvider({ ...sso, clock }) });
  }

  /** The issuer, by which identities name the provider. */
  issuer(): string {
    return withoutSlash(this.open().settings.issuer);
  }

  /** The URL to redirect to, with the state that the browser must return. */
  async ask(
    about: Pick<SsoTicket, 'next' | 'linkSessionId'>,
  ): Promise<{ location: string; setCookie: string } | { trouble: SignInTrouble }> {
    const { provider, box } = this.open();
    const question = newQuestion();
    try {
      const location = await provider.ask(question, this.#redirectUri());
      const ticket = sealTicket(box, { ...question, ...about, begunAtMs: this.#parts.clock.now() });
      return { location, setCookie: this.#sessions.jar.write('errand_sso', ticket, ticketTtlMs / 1000) };
    } catch (error) {
      return { trouble: this.#explain(error) };
    }
  }

  /** The ticket for this callback, or null, in which case no pending sign-in ends. */
  readTicket({ headers, query }: WebRequest): SsoTicket | null {
    const { box } = this.open();
    const ticket = openTicket(box, this.#sessions.jar.read(headers.cookie, 'errand_sso'), this.#parts.clock.now());
    return ticket !== null && query.state === ticket.state ? ticket : null;
  }

  /** The identity proven by the callback for this ticket. */
  async receive(ticket: SsoTicket, request: WebRequest): Promise<ProvenIdentity | { trouble: SignInTrouble }> {
    const trouble = await this.#findPaceTrouble(ticket.state, request.remoteAddress);
    if (trouble) return { trouble };
    try {
      return await this.open().provider.receive(ticket, this.#redirectUri(), request.queryText);
    } catch (error) {
      return { trouble: this.#explain(error) };
    }
  }

  /** Each callback counts once across all processes; null if this one is acceptable. */
  async #findPaceTrouble(state: string, remoteAddress: string): Promise<SignInTrouble | null> {
    const { database } = this.#parts;
    const waitS = await database.run(takeAttempt, [{ name: `provider from ${networkOf(remoteAddress)}`, ...addressPace }]);
    if (waitS > 0) {
      return { problem: ({ sso }) => sso.tooMany, status: 429, headers: { 'retry-after': String(waitS) } };
    }
    const isUsed = (await database.run(takeAttempt, [{ name: `provider answer ${state}`, count: 1, windowMs: ticketTtlMs }])) > 0;
    return isUsed ? foreignAnswer : null;
  }

  #redirectUri(): string {
    return this.#parts.publicUrl() + callbackPath;
  }

  #explain(error: unknown): SignInTrouble {
    if (!(error instanceof ProviderProblem)) throw error;
    const { issuer, name } = this.open().settings;
    this.#parts.log.warn({ kind: error.kind, reason: error.message, issuer }, 'nobody was signed in by the provider');
    return describeProblem(error, name);
  }
}
