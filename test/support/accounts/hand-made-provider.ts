import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface HandMadeAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function asJson(value: unknown, status = 200): HandMadeAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** An OpenID Connect provider that behaves correctly, except where a test changes that. */
export class HandMadeProvider {
  /** Requests so far, as `POST /token`. */
  readonly seen: string[] = [];
  readonly bodies: string[] = [];
  /** Replaces the usual response, by path; null for none at all. */
  readonly changes = new Map<string, (usual: HandMadeAnswer) => HandMadeAnswer | null>();
  /** Replaces the token with the usual claims. */
  makeToken: (claims: Json) => string = (claims) => this.sign(claims);
  nonce = '';
  readonly #server: Server;
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.seen.push(`${request.method} ${path}`);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.bodies.push(Buffer.concat(chunks).toString());
        const usual = this.#answer(path);
        const answer = (this.changes.get(path) ?? ((same) => same))(usual);
        if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
      });
    });
  }

  static async start(): Promise<HandMadeProvider> {
    const provider = new HandMadeProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get publicKey(): string {
    return this.#keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  get document(): Json {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** The claims of Ann's ID token. */
  get claims(): Json {
    const now = Math.floor(Date.now() / 1000);
    const about = { sub: 'ann', email: 'ann@example.com', email_verified: true };
    return { iss: this.issuer, aud: 'errand', iat: now, exp: now + 300, nonce: this.nonce, ...about };
  }

  sign(claims: Json, key: KeyObject = this.#keys.privateKey): string {
    const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims)}`;
    return `${text}.${createSign('sha256').update(text).sign(key, 'base64url')}`;
  }

  /** Signed with a secret that others may know, or unsigned. */
  signWeakly(claims: Json, alg: 'HS256' | 'none', secret = ''): string {
    const text = `${encode({ alg, kid: 'one' })}.${encode(claims)}`;
    return `${text}.${alg === 'none' ? '' : createHmac('sha256', secret).update(text).digest('base64url')}`;
  }

  /** Returns this document instead. */
  describe(changes: Json): void {
    this.changes.set('/.well-known/openid-configuration', () => asJson({ ...this.document, ...changes }));
  }

  #answer(path: string): HandMadeAnswer {
    switch (path) {
      case '/.well-known/openid-configuration':
        return asJson(this.document);
      case '/keys':
        return asJson({ keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] });
      case '/token':
        return asJson({ access_token: 'a', token_type: 'Bearer', id_token: this.makeToken(this.claims) });
      case '/userinfo':
        return asJson({ sub: 'ann', email: 'told@example.com', email_verified: true });
      default:
        return asJson({}, 404);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
