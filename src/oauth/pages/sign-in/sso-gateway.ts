import { neighbourhoodOf } from '@errand/base/net/address-block.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { ProviderProblem } from '../../../sso/provider-problem.ts';
import { withoutSlash } from '../../../sso/provider-document.ts';
import { newQuestion, OidcProvider, type ProvenIdentity } from '../../../sso/oidc-provider.ts';
import type { SsoParts } from '../../../sso/sso-parts.ts';
import { takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import { PageFault } from '../layout/page-fault.ts';
import type { SessionService } from '../session/session-service.ts';
import type { SignInTrouble } from './sign-in-page.ts';
import { callbackPath, openTicket, sealTicket, type SsoTicket, ticketMs } from './sso-ticket.ts';
import { describeProblem, foreignAnswer } from './sso-refusals.ts';
import type { PageParts, WebRequest } from '../../request/web-request.ts';

const addressPace = { count: 200, windowMs: 15 * 60 * 1000 };

/** A provider that can be used, with what belongs to it. */
interface OpenSso {
  settings: SsoParts['settings'];
  box: SealedBox;
  provider: OidcProvider;
}

/** Asks the provider who somebody is, through their browser, and hears the answer. */
export class SsoGateway {
  readonly #parts: PageParts;
  readonly #sessions: SessionService;
  #opened: OpenSso | null = null;

  constructor(parts: PageParts, sessions: SessionService) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  /** Throws 404 where no provider is set up, and 503 where this process cannot seal as the others do. */
  open(): OpenSso {
    const { signIn, clock } = this.#parts;
    const { sso } = signIn;
    if (sso === null) throw new PageFault('not_found', ({ fault }) => fault.nothingHere);
    if (sso.box === null) throw new PageFault('unavailable', (texts) => texts.sso.noSecret);
    return (this.#opened ??= { settings: sso.settings, box: sso.box, provider: new OidcProvider({ ...sso, clock }) });
  }

  /** As identities name the provider. */
  issuer(): string {
    return withoutSlash(this.open().settings.issuer);
  }

  /** Where the browser goes now, with what it is to bring back. */
  async ask(
    about: Pick<SsoTicket, 'next' | 'linkSessionId'>,
  ): Promise<{ location: string; setCookie: string } | { trouble: SignInTrouble }> {
    const { provider, box } = this.open();
    const question = newQuestion();
    try {
      const location = await provider.ask(question, this.#redirectUri());
      const ticket = sealTicket(box, { ...question, ...about, begunAtMs: this.#parts.clock.now() });
      return { location, setCookie: this.#sessions.jar.write('errand_sso', ticket, ticketMs / 1000) };
    } catch (error) {
      return { trouble: this.#explain(error) };
    }
  }

  /** The ticket of the question that this request answers, or null: then it ends nothing that is under way. */
  readTicket({ headers, query }: WebRequest): SsoTicket | null {
    const { box } = this.open();
    const ticket = openTicket(box, this.#sessions.jar.read(headers.cookie, 'errand_sso'), this.#parts.clock.now());
    return ticket !== null && query.state === ticket.state ? ticket : null;
  }

  /** Who it is, by the answer to this ticket's question. */
  async receive(ticket: SsoTicket, request: WebRequest): Promise<ProvenIdentity | { trouble: SignInTrouble }> {
    const trouble = await this.#findPaceTrouble(ticket.state, request.remoteAddress);
    if (trouble) return { trouble };
    try {
      return await this.open().provider.receive(ticket, this.#redirectUri(), request.queryText);
    } catch (error) {
      return { trouble: this.#explain(error) };
    }
  }

  /** Each answer counts once, at all processes together; null where there is nothing against this one. */
  async #findPaceTrouble(state: string, remoteAddress: string): Promise<SignInTrouble | null> {
    const { database } = this.#parts;
    const waitS = await database.run(takeAttempt, [{ name: `provider from ${neighbourhoodOf(remoteAddress)}`, ...addressPace }]);
    if (waitS > 0) {
      return { problem: ({ sso }) => sso.tooMany, status: 429, headers: { 'retry-after': String(waitS) } };
    }
    const isUsed = (await database.run(takeAttempt, [{ name: `provider answer ${state}`, count: 1, windowMs: ticketMs }])) > 0;
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
