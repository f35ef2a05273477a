import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { describeStores } from '../support/db/databases.ts';
import { OauthUnderTest, password, redirectUri, type TestApp } from '../support/oauth/oauth-under-test.ts';

type SavedTokens = Parameters<OAuthClientProvider['saveTokens']>[0];

/** A program that knows its client id and the address of the service, and finds out everything else. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = { client_name: 'Program', redirect_uris: [redirectUri], scope: 'create_task' };
  readonly #app: TestApp;
  #tokens: SavedTokens | undefined;
  #verifier = '';
  asked: URL | null = null;

  constructor(app: TestApp) {
    this.#app = app;
  }

  clientInformation() {
    return { client_id: this.#app.clientId, client_secret: this.#app.secret };
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: SavedTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

/** As the service calls itself, which tokens and their places are bound to. */
function publicUrlOf({ api }: OauthUnderTest): string {
  return `http://localhost:${api.port}`;
}

describeStores('a program that signs its user in at /mcp', (store) => {
  it('discovers the authorization server, and creates tasks with the token', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const program = new Program(await oauth.addApp());
    const address = new URL('/mcp', publicUrlOf(oauth));
    const open = () => new StreamableHTTPClientTransport(address, { authProvider: program });
    const first = open();
    await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
    const asked = program.asked;
    expect([asked?.searchParams.get('resource'), asked?.searchParams.get('scope')]).toEqual([address.href, 'create_task']);
    const browser = oauth.browser();
    const page = await browser.signIn(oauth.email, password, `/oauth/authorize${asked?.search ?? ''}`);
    const { location } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    await first.finishAuth(new URL(location).searchParams);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(open());
    const made = await client.callTool({ name: 'create_task', arguments: { prompt: 'count' } });
    expect(made.structuredContent).toMatchObject({ task_title: 'count' });
    await client.close();
  });

  it('learns where to authorize, also when its token is no longer valid', async () => {
    await using oauth = await OauthUnderTest.start(store.database);
    const base = publicUrlOf(oauth);
    const place = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
    const challenge = async (headers: Record<string, string>) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' };
      const response = await fetch(`${base}/mcp`, init);
      return [response.status, response.headers.get('www-authenticate')];
    };
    expect(await challenge({})).toEqual([401, `Bearer ${place}`]);
    expect(await challenge({ authorization: 'Bearer x' })).toEqual([401, `Bearer error="invalid_token", ${place}`]);
    const described = await fetch(`${base}/.well-known/oauth-protected-resource/mcp`);
    expect([described.status, await described.json()]).toEqual([
      200,
      {
        resource: `${base}/mcp`,
        authorization_servers: [base],
        bearer_methods_supported: ['header'],
        resource_name: 'Errand',
      },
    ]);
  });
});
