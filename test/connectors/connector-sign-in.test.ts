import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpOauthFront } from '../support/connectors/mcp-oauth-front.ts';
import { createDatabase, dropDatabase } from '../support/db/postgres.ts';
import { LocalService } from '../support/service/local-service.ts';
import { WebBrowser } from '../support/http/scriptless-browser.ts';

const path = '/settings/connectors/callback';
const password = 'a long password of the owner';

describe.each(['embedded', 'PostgreSQL'])('signing in at a connector, with the %s database', (kind) => {
  let front: McpOauthFront;
  let service: LocalService;
  let databaseUrl: string | null = null;
  beforeAll(async () => {
    databaseUrl = kind === 'PostgreSQL' ? await createDatabase() : null;
    front = await McpOauthFront.start();
    const env = {
      ERRAND_OUTBOUND_ALLOW: '127.0.0.0/8',
      ERRAND_BOOTSTRAP_PASSWORD: password,
      ERRAND_SECRET: 'thirty-two-random-characters-or-so',
    };
    service = await LocalService.start({ env: { ...env, ...(databaseUrl !== null && { ERRAND_DATABASE_URL: databaseUrl }) } });
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await service.end();
    if (databaseUrl !== null) await dropDatabase(databaseUrl);
  });

  async function ask(name: string, input: object, key = service.apiKey) {
    const answer = await fetch(`${service.url}/v2/${name}`, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: { 'content-type': 'application/json', 'x-service-api-key': key },
    });
    const body = (await answer.json()) as { connector: Record<string, unknown>; error: { message: string } };
    return { status: answer.status, ...body };
  }

  /** Asks where to go, and goes there. */
  async function goToServer(browser: WebBrowser, connectorId: unknown): Promise<string> {
    const { status, body } = await browser.call('connector.signIn', { connector_id: connectorId });
    const address = String(body.authorization_url);
    expect([status, body.host, body.server_host]).toEqual([200, new URL(address).host, new URL(front.url).host]);
    expect(address.startsWith(`${front.origin}/authorize?`)).toBe(true);
    return front.consent(address);
  }

  it('is requested, done in a signed-in browser, stored sealed, refreshed, and requested again', async () => {
    const { connector, status } = await ask('connector.create', { name: 'Garden <b>', url: front.url });
    expect([status, connector.status, connector.tools]).toEqual([200, 'needs_sign_in', []]);
    const browser = new WebBrowser(service.url);
    await browser.signIn('owner@localhost', password);
    const back = await goToServer(browser, connector.id);
    expect(new URL(back).pathname).toBe(path);

    // Whoever is not signed in here ends nothing.
    const nobody = await new WebBrowser(service.url).send(back);
    expect([nobody.status, nobody.location.startsWith('/sign-in?next=')]).toEqual([303, true]);
    expect((await ask('connector.check', { connector_id: connector.id })).connector.status).toBe('needs_sign_in');
    expect((await browser.send(back.replace('state=', 'state=0'))).status).toBe(400);

    expect(await browser.send(back)).toMatchObject({ status: 303, location: '/connectors?signed_in=true' });
    expect((await browser.send(back)).status).toBe(412);
    front.expire();
    const checked = (await ask('connector.check', { connector_id: connector.id })).connector;
    expect([checked.status, checked.tools]).toEqual(['connected', expect.arrayContaining(['plant'])]);
    expect(front.seen.filter((line) => line === 'POST /token refresh_token')).toHaveLength(1);
    expect(JSON.stringify([checked, service.lines])).not.toContain('canary');

    front.revoke();
    const ended = (await ask('connector.check', { connector_id: connector.id })).connector;
    expect([ended.status, ended.problem]).toEqual(['needs_sign_in', expect.stringContaining('/connectors')]);
    const again = await goToServer(browser, connector.id);
    expect((await browser.send(again)).status).toBe(303);
    expect((await ask('connector.check', { connector_id: connector.id })).connector.status).toBe('connected');
  });

  it('is not offered for servers that use a key, or that do not describe it', async () => {
    const keyed = await ask('connector.create', { name: 'K', url: front.url, headers: { Authorization: 'Bearer wrong' } });
    expect([keyed.status, keyed.error.message]).toEqual([400, expect.stringContaining('sign in, or another key')]);
    front.inner.controls.apiKey = 'a key';
    expect((await ask('connector.create', { name: 'K', url: front.inner.url })).status).toBe(400);
    front.inner.controls.apiKey = null;
  });

  it('is done at the usual endpoints of a server that publishes nothing, if there is a page to sign in at', async () => {
    front.isSilent = true;
    const { connector } = await ask('connector.create', { name: 'Silent', url: front.url });
    expect(connector.status).toBe('needs_sign_in');
    const browser = new WebBrowser(service.url);
    await browser.signIn('owner@localhost', password);
    const back = await goToServer(browser, connector.id);
    expect([back, (await browser.send(back)).status]).toEqual([expect.stringContaining('code='), 303]);
    front.expire();
    const checked = (await ask('connector.check', { connector_id: connector.id })).connector;
    expect([checked.status, checked.tools]).toEqual(['connected', expect.arrayContaining(['plant'])]);
    front.isSilent = false;
    await ask('connector.delete', { connector_id: connector.id });
  });

  it('is not offered by a server that has the same page at every path', async () => {
    front.isSilent = true;
    front.answersEverything = true;
    const { status, error } = await ask('connector.create', { name: 'Application', url: front.url });
    expect([status, error.message]).toEqual([400, expect.stringContaining('sign in, or another key')]);
    front.isSilent = false;
    front.answersEverything = false;
  });

  it('uses a preregistered client at a server without dynamic registration', async () => {
    const client = {
      id: 'client-of-the-operator',
      secret: 'canary-of-the-secret',
      redirectUri: `http://localhost:${new URL(service.url).port}${path}`,
    };
    const listed = await fetch(`${service.url}/v2/connector.list`, { headers: { 'x-service-api-key': service.apiKey } });
    const { data } = (await listed.json()) as { data: { id: string }[] };
    for (const { id } of data) await ask('connector.delete', { connector_id: id });
    front.preset = client;
    const about = { oauth_client_id: client.id, oauth_client_secret: client.secret };
    expect((await ask('connector.create', { name: 'K', url: front.inner.url, ...about })).error.message).toBe(
      'oauth_client_id: nobody signs in at this server',
    );
    const { connector } = await ask('connector.create', { name: 'Known', url: front.url, ...about });
    expect([connector.status, JSON.stringify(connector)]).toEqual(['needs_sign_in', expect.not.stringContaining('canary')]);
    const browser = new WebBrowser(service.url);
    await browser.signIn('owner@localhost', password);
    const back = await goToServer(browser, connector.id);
    expect([back, (await browser.send(back)).status]).toEqual([expect.stringContaining('code='), 303]);
    front.expire();
    const checked = (await ask('connector.check', { connector_id: connector.id })).connector;
    expect([checked.status, checked.tools]).toEqual(['connected', expect.arrayContaining(['plant'])]);
    expect(JSON.stringify(service.lines)).not.toContain(client.secret);
    front.preset = null;
  });
});
