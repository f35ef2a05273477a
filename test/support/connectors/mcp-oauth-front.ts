import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServerUnderTest } from './mcp-server-under-test.ts';

interface Code {
  clientId: string;
  redirectUri: string;
  challenge: string;
}

/** The fields of a form or JSON body. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * An MCP server that accepts only tokens of its own authorization server: with metadata, client registration, PKCE and one-time refresh
 * tokens. Every visitor of its page is its one user, and consents.
 */
export class McpOauthFront {
  /** Requests so far, as `POST /token refresh_token`. */
  readonly seen: string[] = [];
  /** Valid access tokens and refresh tokens. */
  readonly access = new Set<string>();
  readonly refresh = new Set<string>();
  readonly inner: McpServerUnderTest;
  /** What a sign-in must ask for. */
  #scope = 'garden';
  /** Tokens that are not enough any more. */
  readonly #weak = new Set<string>();
  /** The kinds of clients that have registered themselves. */
  readonly kinds: unknown[] = [];
  /** Whether it publishes nothing about its authorization, as servers of revision 2025-03-26 may. */
  isSilent = false;
  /** Whether it then answers every other path with the same page. */
  answersEverything = false;
  /** A client registered by its operator, with a secret; then dynamic registration is disabled. */
  preset: { id: string; secret: string; redirectUri: string } | null = null;
  readonly #clients = new Map<string, readonly string[]>();
  readonly #codes = new Map<string, Code>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response).catch(() => response.destroy());
  });

  private constructor(inner: McpServerUnderTest) {
    this.inner = inner;
  }

  static async start(): Promise<McpOauthFront> {
    const front = new McpOauthFront(await McpServerUnderTest.start());
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** The redirect of its consent page. */
  async consent(address: string): Promise<string> {
    const answer = await fetch(address, { redirect: 'manual' });
    return answer.headers.get('location') ?? `refused with ${answer.status}: ${await answer.text()}`;
  }

  /** Makes all access tokens expire; refresh tokens still work. */
  expire(): void {
    this.access.clear();
  }

  /** Revokes the grant, as a user can at the server. */
  revoke(): void {
    this.access.clear();
    this.refresh.clear();
  }

  /** Demands another scope from now on, which existing tokens do not have. */
  demand(scope: string): void {
    this.#scope += ` ${scope}`;
    for (const token of this.access) this.#weak.add(token);
  }

  #describe(path: string): object | null {
    const { origin, url } = this;
    if (this.isSilent) return null;
    if (path === '/about-mcp') return { resource: url, authorization_servers: [origin], scopes_supported: ['garden'] };
    if (path !== '/.well-known/oauth-authorization-server') return null;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      ...(this.preset ? {} : { registration_endpoint: `${origin}/register` }),
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [this.preset ? 'client_secret_basic' : 'none'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #register(body: string): object {
    const about = JSON.parse(body) as { redirect_uris: string[]; application_type?: string };
    const { redirect_uris: uris, application_type: kind } = about;
    this.kinds.push(kind);
    const clientId = `client-${this.#clients.size + 1}`;
    this.#clients.set(clientId, uris);
    return { client_id: clientId, redirect_uris: uris, token_endpoint_auth_method: 'none' };
  }

  #redirectsOf(clientId: string): readonly string[] {
    if (this.preset) return clientId === this.preset.id ? [this.preset.redirectUri] : [];
    return this.#clients.get(clientId) ?? [];
  }

  #authorize(query: URLSearchParams): string | null {
    const [clientId, redirectUri] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? ''];
    const isRight =
      this.#redirectsOf(clientId).includes(redirectUri) &&
      query.get('code_challenge_method') === 'S256' &&
      (this.isSilent || (query.get('resource') === this.url && query.get('scope') === this.#scope));
    if (!isRight) return null;
    const code = randomBytes(12).toString('hex');
    this.#codes.set(code, { clientId, redirectUri, challenge: query.get('code_challenge') ?? '' });
    const back = { code, state: query.get('state') ?? '', ...(!this.isSilent && { iss: this.origin }) };
    return `${redirectUri}?${new URLSearchParams(back).toString()}`;
  }

  #grants(form: URLSearchParams): boolean {
    if (!this.isSilent && form.get('resource') !== this.url) return false;
    if (form.get('grant_type') === 'refresh_token') return this.refresh.delete(form.get('refresh_token') ?? '');
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return (
      code?.challenge === challenge &&
      code.redirectUri === form.get('redirect_uri') &&
      (this.preset !== null || code.clientId === form.get('client_id'))
    );
  }

  #issue(form: URLSearchParams): object | null {
    if (!this.#grants(form)) return null;
    const [access, refresh] = [
      `canary-access-${randomBytes(8).toString('hex')}`,
      `canary-refresh-${randomBytes(8).toString('hex')}`,
    ];
    this.access.add(access);
    this.refresh.add(refresh);
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const body = await readBody(request);
    const json = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const form = new URLSearchParams(body);
    this.seen.push([request.method, url.pathname, form.get('grant_type')].filter(Boolean).join(' '));
    const about = this.#describe(url.pathname);
    if (about) return void json(200, about);
    if (this.answersEverything && url.pathname !== '/mcp' && !url.pathname.startsWith('/.well-known'))
      return void response.writeHead(200).end('<title>Home</title>');
    if (url.pathname === '/register') return void json(201, this.#register(body));
    if (url.pathname === '/authorize') {
      const back = this.#authorize(url.searchParams);
      return void (back === null ? response.writeHead(400).end('wrong') : response.writeHead(302, { location: back }).end());
    }
    if (url.pathname === '/token') {
      const { id = '', secret = '' } = this.preset ?? {};
      const proof = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
      if (this.preset && request.headers.authorization !== proof) return void json(401, { error: 'invalid_client' });
      const tokens = this.#issue(form);
      return void (tokens ? json(200, tokens) : json(400, { error: 'invalid_grant' }));
    }
    if (url.pathname !== '/mcp') return void response.writeHead(404).end();
    if (!this.access.has(request.headers.authorization?.slice('Bearer '.length) ?? '')) {
      const where = this.isSilent ? 'Bearer' : `Bearer resource_metadata="${this.origin}/about-mcp"`;
      return void response.writeHead(401, { 'www-authenticate': where }).end();
    }
    if (this.#weak.has(request.headers.authorization?.slice('Bearer '.length) ?? '')) {
      const why = `Bearer error="insufficient_scope", scope="${this.#scope.split(' ').at(-1) ?? ''}"`;
      return void response.writeHead(403, { 'www-authenticate': why }).end();
    }
    await this.#pass(request, body, response);
  }

  async #pass({ method = 'GET', headers }: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const sent = new Headers();
    for (const name of ['content-type', 'accept', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name']) {
      const value = headers[name];
      if (typeof value === 'string') sent.set(name, value);
    }
    const reply = await fetch(this.inner.url, { method, headers: sent, ...(body !== '' && { body }) });
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await reply.arrayBuffer()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.inner[Symbol.asyncDispose]();
  }
}
