import { createHash } from 'node:crypto';
import type { Clock } from '@errand/base/clock.ts';
import { randomBase62 } from '@errand/base/ids.ts';
import type { IdentityClaims } from '../rules/accounts/sign-in-policy.ts';
import { explainLibraryError, isClientRefused } from './library-problem.ts';
import { fetchDocument, type ProviderDocument, withoutSlash } from './provider-document.ts';
import { createProviderFetch, type ProviderHttpClients, type ProviderFetch } from './provider-fetch.ts';
import { ProviderProblem } from './provider-problem.ts';

/** Ties the provider's response to the request; known only to the browser that started it. */
export interface Question {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person authenticated by the provider. */
export interface ProvenIdentity {
  /** Issuer without a trailing slash. */
  issuer: string;
  subject: string;
  claims: IdentityClaims;
}

export interface ProviderParts {
  settings: { issuer: string; clientId: string; scopes: string };
  clientSecret: string | null;
  httpClients: ProviderHttpClients;
  clock: Clock;
}

/** How long the discovery document is cached. Keys are fetched at each sign-in, so they may change at any time. */
const documentMs = 10 * 60 * 1000;
/** Subjects have at most 255 characters (OpenID Connect Core, 2). */
const subjectForm = /^\P{Cc}{1,255}$/u;

type Library = typeof import('openid-client');

export function newQuestion(): Question {
  return { state: randomBase62(43), nonce: randomBase62(43), verifier: randomBase62(64) };
}

/** An OpenID Connect provider, of which this service is a client. */
export class OidcProvider {
  readonly #parts: ProviderParts;
  readonly #fetch: ProviderFetch;
  #known: { document: Promise<ProviderDocument>; atMs: number } | null = null;

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    this.#fetch = createProviderFetch(parts.settings.issuer, parts.httpClients);
  }

  /** The discovery document; concurrent callers share one request. Rejects with a `ProviderProblem`. */
  document(): Promise<ProviderDocument> {
    const now = this.#parts.clock.monotonic();
    if (this.#known && now - this.#known.atMs < documentMs) return this.#known.document;
    const known = { document: fetchDocument(this.#parts.settings.issuer, this.#fetch), atMs: now };
    this.#known = known;
    known.document.catch(() => {
      if (this.#known === known) this.#known = null;
    });
    return known.document;
  }

  /** The URL that the browser is sent to. */
  async ask(question: Question, redirectUri: string): Promise<string> {
    const { clientId, scopes } = this.#parts.settings;
    const url = new URL((await this.document()).authorization_endpoint);
    const fields = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes,
      state: question.state,
      nonce: question.nonce,
      code_challenge: createHash('sha256').update(question.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Identifies the person from the callback. State, issuer, signature, audience, nonce and times are checked. Rejects with a
   * `ProviderProblem`.
   */
  async receive(question: Question, redirectUri: string, queryText: string): Promise<ProvenIdentity> {
    const document = await this.document();
    const library = await import('openid-client');
    const answer = new URL(`${redirectUri}?${queryText}`);
    let refusal: unknown;
    for (const secretIn of this.#waysOf(document)) {
      try {
        return await this.#redeem(library, this.#configure(library, document, secretIn), question, answer);
      } catch (error) {
        if (!isClientRefused(error)) throw explainLibraryError(error);
        // Some providers accept the secret in one place only, although they advertise both.
        refusal = error;
      }
    }
    throw explainLibraryError(refusal);
  }

  /**
   * Whether the provider knows this service, tested with an invalid code: a provider that rejects only the code has accepted id and secret.
   * Null if its response does not tell. Rejects where `document` does.
   */
  async knowsClient(redirectUri: string): Promise<boolean | null> {
    const question = newQuestion();
    const fields = { code: 'errand-doctor', state: question.state, iss: (await this.document()).issuer };
    try {
      await this.receive(question, redirectUri, new URLSearchParams(fields).toString());
      return null;
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      if (error.kind === 'foreign') return true;
      return isClientRefused(error.cause) ? false : null;
    }
  }

  /** Where to put the client secret in a request, likelier method first. */
  #waysOf({ token_endpoint_auth_methods_supported: methods }: ProviderDocument): readonly ('basic' | 'post' | 'none')[] {
    if (this.#parts.clientSecret === null) return ['none'];
    const ways = (['basic', 'post'] as const).filter((way) => methods.includes(`client_secret_${way}`));
    return ways.length > 0 ? ways : ['basic'];
  }

  #configure(library: Library, document: ProviderDocument, secretIn: 'basic' | 'post' | 'none') {
    const { settings, clientSecret } = this.#parts;
    const secret = clientSecret ?? '';
    const proof = { basic: library.ClientSecretBasic, post: library.ClientSecretPost, none: library.None }[secretIn](secret);
    const config = new library.Configuration({ ...document }, settings.clientId, {}, proof);
    config[library.customFetch] = async (url, { method, headers, body }) => {
      const text = body === null || body === undefined ? undefined : String(body as URLSearchParams | string);
      const reply = await this.#fetch(url, { method, headers, body: text });
      const type = reply.headers['content-type'];
      const challenge = reply.headers['www-authenticate'];
      const answered = {
        ...(type !== undefined && { 'content-type': type }),
        ...(challenge !== undefined && { 'www-authenticate': challenge }),
      };
      if (reply.status < 200 || reply.status === 204 || reply.status > 599) {
        throw new ProviderProblem('broken', `it answers with ${reply.status}`);
      }
      return new Response(reply.status === 304 ? null : new Uint8Array(reply.body), { status: reply.status, headers: answered });
    };
    // The signature too, not only the connection over which the token was received.
    library.enableNonRepudiationChecks(config);
    // oxlint-disable-next-line typescript/no-deprecated -- for a provider on this machine, which our own rules have looked at
    if (settings.issuer.startsWith('http:')) library.allowInsecureRequests(config);
    return config;
  }

  async #redeem(
    library: Library,
    config: InstanceType<Library['Configuration']>,
    { state, nonce, verifier }: Question,
    answer: URL,
  ): Promise<ProvenIdentity> {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await library.authorizationCodeGrant(config, answer, checks);
    const token = tokens.claims();
    if (!token || !subjectForm.test(token.sub) || !token.sub.isWellFormed()) {
      throw new ProviderProblem('broken', 'its answer names nobody');
    }
    const isInToken = token.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
    const answered = isInToken ? token : await library.fetchUserInfo(config, tokens.access_token, token.sub);
    return {
      issuer: withoutSlash(token.iss),
      subject: token.sub,
      claims: { email: answered.email, email_verified: answered.email_verified },
    };
  }
}
