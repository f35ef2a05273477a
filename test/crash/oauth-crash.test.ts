import { describe, expect, it } from 'vitest';
import { type Visit, WebBrowser } from '../support/http/scriptless-browser.ts';
import { Deployment } from '../support/service/deployment.ts';
import { newVerifier, redirectUri } from '../support/oauth/oauth-under-test.ts';

const owner = { email: 'owner@localhost', password: 'correct horse battery' };

interface Pair {
  access_token: string;
  refresh_token: string;
}

/** An application of the owner, made and used as people do. */
class ConnectedService {
  readonly deployment: Deployment;
  readonly #browser: WebBrowser;
  #client: Record<string, string> = {};

  constructor(deployment: Deployment) {
    this.deployment = deployment;
    this.#browser = new WebBrowser(deployment.api.url);
  }

  async register(): Promise<void> {
    await this.#browser.signIn(owner.email, owner.password);
    const { status, body } = await this.#browser.call('app.create', { name: 'Crash', redirect_uris: [redirectUri] });
    if (status !== 200) throw new Error(`no application: ${status} ${JSON.stringify(body)}`);
    this.#client = { client_id: String(body.client_id), client_secret: String(body.client_secret) };
  }

  async obtainCode(): Promise<Record<string, string>> {
    const { verifier, challenge } = newVerifier();
    const request = { client_id: this.#client.client_id ?? '', redirect_uri: redirectUri, code_challenge: challenge };
    const query = new URLSearchParams({ ...request, code_challenge_method: 'S256' }).toString();
    const page: Visit = await this.#browser.open(`/oauth/authorize?${query}`);
    const { location } = await this.#browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    const code = new URL(location).searchParams.get('code') ?? '';
    return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
  }

  async ask(fields: Record<string, string>): Promise<{ status: number; body: Pair & { error?: string } }> {
    const body = new URLSearchParams({ ...fields, ...this.#client });
    const response = await fetch(`${this.deployment.api.url}/oauth/token`, { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as Pair & { error?: string } };
  }

  refresh(refreshToken: string) {
    return this.ask({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** Sends a request and kills the service when what it does is stored, before it has answered; what became of the request. */
  async askAndKill(fields: Record<string, string>, isStored: string): Promise<string> {
    const outcome = this.ask(fields).then(
      ({ status }) => `answered ${status}`,
      () => 'lost',
    );
    let isOver = false;
    void outcome.then(() => (isOver = true));
    for (;;) {
      // Lets the request go out: looking into the database here waits for nothing.
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver || (await this.deployment.query(isStored)).length > 0) break;
    }
    await this.deployment.api.restart();
    return outcome;
  }

  async isLive(token: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${this.deployment.api.url}/v2/task.list`, { headers })).status === 200;
  }
}

describe.each(['sqlite', 'postgres'] as const)(
  'a service on %s that is killed between storing an exchange and answering',
  (shape) => {
    it('does not accept the code or the refresh token again, and works normally for the next one', async () => {
      const env = { ERRAND_BOOTSTRAP_PASSWORD: owner.password };
      await using deployment = await Deployment.start(shape, { env });
      const service = new ConnectedService(deployment);
      await service.register();
      for (let outcome = ''; outcome !== 'lost'; ) {
        const code = await service.obtainCode();
        // Now and then the answer is out before the kill arrives.
        outcome = await service.askAndKill(code, 'SELECT id FROM oauth_grants WHERE code_spent_at IS NOT NULL');
        expect(await service.ask(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      }
      expect(await deployment.query('SELECT id FROM oauth_grants')).toEqual([]);
      const { body: first } = await service.ask(await service.obtainCode());
      expect(await service.isLive(first.access_token)).toBe(true);
      await service.askAndKill(
        { grant_type: 'refresh_token', refresh_token: first.refresh_token },
        'SELECT digest FROM oauth_spent',
      );
      expect(await service.isLive(first.access_token)).toBe(false);
      expect(await service.refresh(first.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      const { body: second } = await service.ask(await service.obtainCode());
      const { body: third } = await service.refresh(second.refresh_token);
      expect(await service.isLive(third.access_token)).toBe(true);
    });
  },
);
