import { takeErrorPage } from '../http/error-page.ts';
import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@errand/base/ids.ts';
import { createQuickPasswords } from '../accounts/quick-passwords.ts';
import { setPassword } from '../../../src/store/accounts/account-passwords.ts';
import { findAccount } from '../../../src/store/accounts/accounts.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { makeAppSecret } from '../../../src/store/oauth/new-app-secret.ts';
import { createApp, type OauthApp } from '../../../src/store/oauth/oauth-apps.ts';
import { type Visit, WebBrowser } from '../http/scriptless-browser.ts';
import { type ApiOptions, ApiUnderTest, type Json } from '../http/api-under-test.ts';

export const password = 'correct horse battery';
export const redirectUri = 'https://app.example/callback';

export interface TestApp extends OauthApp {
  /** Empty for a public one. */
  secret: string;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
  token_type: string;
}

export interface TokenAnswer {
  status: number;
  headers: Headers;
  body: Json & Partial<Tokens> & { error?: string; error_description?: string };
}

export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

let hashed: Promise<string> | null = null;

/** A service with the pages, an account that can sign in, and applications. */
export class OauthUnderTest {
  readonly api: ApiUnderTest;
  readonly email: string;

  private constructor(api: ApiUnderTest, email: string) {
    this.api = api;
    this.email = email;
  }

  static async start(database: Database, options: ApiOptions = {}): Promise<OauthUnderTest> {
    const api = await ApiUnderTest.start(database, options);
    hashed ??= createQuickPasswords().hash(password, 'operator');
    const { accountId } = api.owner;
    await database.run(setPassword, { accountId, hash: await hashed, now: Date.now(), actor: 'operator' });
    const account = await database.run(findAccount, accountId);
    return new OauthUnderTest(api, account?.email ?? '');
  }

  get url(): string {
    return this.api.http.url();
  }

  browser(): WebBrowser {
    return new WebBrowser(this.url);
  }

  async addApp(changes: Partial<OauthApp> = {}): Promise<TestApp> {
    const now = Date.now();
    const secret = changes.isPublic === true ? null : makeAppSecret(now);
    const app = await this.api.database.run(createApp, {
      app: {
        accountId: this.api.owner.accountId,
        clientId: newId(now),
        name: 'Reports',
        homepage: null,
        kind: 'team',
        isPublic: false,
        redirectUris: [redirectUri],
        scopes: ['create_task'],
        applicationType: null,
        createdAtMs: now,
        ...changes,
      },
      secret: secret?.stored ?? null,
      actor: 'operator',
      isOperator: true,
    });
    return { ...app, secret: secret?.text ?? '' };
  }

  authorizePath(app: OauthApp, challenge: string, more: Record<string, string> = {}): string {
    const right = { client_id: app.clientId, redirect_uri: redirectUri, state: 's', code_challenge: challenge };
    return `/oauth/authorize?${new URLSearchParams({ ...right, code_challenge_method: 'S256', ...more }).toString()}`;
  }

  /** Signs in and decides; returns the response to the browser. */
  async decide(app: OauthApp, challenge: string, decision: 'allow' | 'deny' = 'allow', browser = this.browser()): Promise<Visit> {
    const path = this.authorizePath(app, challenge);
    const page = browser.cookies.size > 0 ? await browser.open(path) : await browser.signIn(this.email, password, path);
    return browser.submit(page, '/oauth/authorize', { decision });
  }

  /** A code that the user has allowed, with its verifier. */
  async obtainCode(app: OauthApp): Promise<{ code: string; verifier: string }> {
    const { verifier, challenge } = newVerifier();
    const { location, status, text } = await this.decide(app, challenge);
    const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
    if (code === null) throw new Error(`no code: ${status} ${location} ${text}`);
    return { code, verifier };
  }

  async token(
    fields: Record<string, string | undefined>,
    headers: Record<string, string> = {},
    path = '/oauth/token',
  ): Promise<TokenAnswer> {
    const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await fetch(this.url + path, { method: 'POST', body: new URLSearchParams(given), headers });
    return {
      status: response.status,
      headers: response.headers,
      body: takeErrorPage((await response.json()) as TokenAnswer['body']),
    };
  }

  credentialsOf(app: TestApp): Record<string, string> {
    return { client_id: app.clientId, ...(app.secret !== '' && { client_secret: app.secret }) };
  }

  redeem(app: TestApp, { code, verifier }: { code: string; verifier: string }, changes: Record<string, string | undefined> = {}) {
    const right = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
    return this.token({ ...right, ...this.credentialsOf(app), ...changes });
  }

  refresh(app: TestApp, refreshToken: string, changes: Record<string, string | undefined> = {}): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...this.credentialsOf(app), ...changes });
  }

  /** Tokens of a new grant. */
  async connect(app: TestApp): Promise<Tokens> {
    const { status, body } = await this.redeem(app, await this.obtainCode(app));
    if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
    return body as unknown as Tokens;
  }

  /** The response of an operation to a token. */
  async call(token: string, name = 'task.list', input: Json = {}) {
    return this.api.call(name, input, { key: null, headers: { authorization: `Bearer ${token}` } });
  }

  async isLive(token: string): Promise<boolean> {
    return (await this.call(token)).status === 200;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api.stop();
  }
}
